"""What must survive is replaced before the network reads a sentence, and put back into what it writes.

On the way there:
protector           all of it, in order
stand_ins           takes out what must survive
rereading           has the rest read otherwise where the network hardly knows it: in dollars, megabytes, other words
entities            HTML entities of letters and marks are read as these

And back:
restoration         puts it back, and has numbers and the rest of the translation put right
  placement           where in the translation each thing goes
  stand_in_compounds  stand-ins that make no compound: no "%d-Dateien"
"""
