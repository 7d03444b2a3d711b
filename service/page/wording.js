// What the page says: names, examples that the shipped bundle is up to, and what a segment's flags mean.

export const NAMES = { en: "English", de: "German" };
export const EXAMPLES = {
  en: ["A woman in a red coat is waiting for the bus.", "A little girl is eating an ice cream in the park."],
  de: ["Eine Frau in einem roten Mantel wartet auf den Bus.", "Zwei Hunde laufen am Strand entlang."],
};
export const REASONS = {
  weak: "Reading it back leads elsewhere: it may say something different.",
  number: "A number may have been lost or changed.",
  negation: "It may say the opposite: what the text denies is not denied here.",
  term: "A word of the glossary may be missing.",
  kept: "Something that should stay as it is may have changed.",
  spelling: "A word was taken for misspelt: what was read may not be what was meant.",
  dictionary: "A word alone, from the dictionary: it may mean something else here.",
};
