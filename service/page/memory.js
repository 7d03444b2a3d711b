// What a tab keeps until it is closed: it survives loading the page again, and no other tab knows of it.

const held = new Map(); // where the browser keeps nothing for this page

export function keep(name, value) {
  held.set(name, value);
  try {
    sessionStorage.setItem(`reder-${name}`, value);
  } catch {
    // then it lasts as long as the page
  }
}

export function kept(name) {
  if (held.has(name)) return held.get(name);
  try {
    return sessionStorage.getItem(`reder-${name}`) ?? "";
  } catch {
    return "";
  }
}
