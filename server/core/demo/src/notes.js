const notes = new Map();

export function addNote(owner, text) {
  const list = notes.get(owner) ?? [];
  list.push({ text, at: new Date().toISOString() });
  notes.set(owner, list);
}

export function notesOf(owner) {
  return notes.get(owner) ?? [];
}
