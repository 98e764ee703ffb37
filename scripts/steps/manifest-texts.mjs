// The texts of package.json that people read, apart from it: package.json names them as %keys%, package.nls.json has
// them, and a translation is another package.nls.<language>.json. Here is which texts those are and what each is called;
// nothing here reads or writes a file.

/** What a manifest says to people: `{ holder, field, key }` for each text, where `holder[field]` is the text or its %key%. */
export function manifestTexts(manifest) {
  const contributes = manifest.contributes ?? {};
  const texts = [];
  const add = (holder, field, key) => {
    if (typeof holder?.[field] === "string") texts.push({ holder, field, key });
  };
  add(manifest, "displayName", "extension.displayName");
  add(manifest, "description", "extension.description");
  for (const [name, capability] of Object.entries(manifest.capabilities ?? {}))
    add(capability, "description", `capability.${name}`);
  for (const container of Object.values(contributes.viewsContainers ?? {}).flat())
    add(container, "title", `container.${container.id}`);
  for (const view of Object.values(contributes.views ?? {}).flat()) {
    add(view, "name", `view.${last(view.id)}`);
    add(view, "contextualTitle", "view.contextualTitle");
  }
  for (const welcome of contributes.viewsWelcome ?? []) add(welcome, "contents", `welcome.${last(welcome.view)}`);
  for (const command of contributes.commands ?? []) {
    add(command, "title", `command.${last(command.command)}`);
    add(command, "shortTitle", `command.${last(command.command)}.short`);
  }
  for (const submenu of contributes.submenus ?? []) add(submenu, "label", `submenu.${last(submenu.id)}`);
  for (const color of contributes.colors ?? []) add(color, "description", `color.${last(color.id)}`);
  for (const language of contributes.languages ?? []) addEach(texts, language.aliases, `language.${language.id}`);
  for (const section of [contributes.configuration ?? []].flat()) addSection(texts, add, section);
  for (const walkthrough of contributes.walkthroughs ?? []) addWalkthrough(add, walkthrough);
  return texts;
}

function addSection(texts, add, section) {
  add(section, "title", `settings.${words(section.title)}`);
  for (const [name, setting] of Object.entries(section.properties ?? {})) {
    const key = `setting.${name.split(".").slice(1).join(".")}`;
    for (const field of ["description", "markdownDescription", "deprecationMessage", "markdownDeprecationMessage"])
      add(setting, field, field.includes("eprecation") ? `${key}.deprecated` : key);
    for (const field of ["enumDescriptions", "markdownEnumDescriptions", "enumItemLabels"])
      addEach(texts, setting[field], field === "enumItemLabels" ? `${key}.label` : `${key}.value`);
  }
}

function addWalkthrough(add, walkthrough) {
  const key = `walkthrough.${walkthrough.id}`;
  add(walkthrough, "title", key);
  add(walkthrough, "description", `${key}.description`);
  for (const step of walkthrough.steps ?? []) {
    add(step, "title", `${key}.${step.id}`);
    add(step, "description", `${key}.${step.id}.description`);
    add(step.media, "altText", `${key}.${step.id}.picture`);
  }
}

function addEach(texts, list, key) {
  for (const at of list?.keys() ?? []) texts.push({ holder: list, field: at, key: `${key}.${at + 1}` });
}

const last = (id) => id.split(".").at(-1);
const words = (title) => keyOf(title)?.slice("settings.".length) ?? title.toLowerCase().replaceAll(/\W+/g, "-");

/** The key in `%key%`, or undefined where a text stands. */
export function keyOf(text) {
  return /^%([\w.-]+)%$/.exec(text)?.[1];
}

/** Moves what still stands in the manifest to the texts, in place. Returns the keys that were moved. */
export function moveTexts(manifest, texts) {
  const moved = [];
  for (const { holder, field, key } of manifestTexts(manifest)) {
    const text = holder[field];
    if (keyOf(text) !== undefined) continue;
    const free = freeKey(texts, key, text);
    texts[free] = text;
    holder[field] = `%${free}%`;
    moved.push(free);
  }
  for (const key of unusedKeys(manifest, texts)) delete texts[key];
  return moved;
}

/** A key that is not taken by another text. */
function freeKey(texts, key, text) {
  for (let at = 1; ; at += 1) {
    const candidate = at === 1 ? key : `${key}.${at}`;
    if (texts[candidate] === undefined || texts[candidate] === text) return candidate;
  }
}

function unusedKeys(manifest, texts) {
  const used = new Set(manifestTexts(manifest).map(({ holder, field }) => keyOf(holder[field])));
  return Object.keys(texts).filter((key) => !used.has(key));
}

/** One phrase for each text that is not where it belongs. */
export function textFaults(manifest, texts) {
  const faults = [];
  for (const { holder, field, key } of manifestTexts(manifest)) {
    const used = keyOf(holder[field]);
    if (used === undefined)
      faults.push(`the text "${short(holder[field])}" (${key}) belongs in package.nls.json: run \`npm run l10n\``);
    else if (typeof texts[used] !== "string") faults.push(`package.nls.json has no text ${used}`);
    else if (texts[used].trim() === "") faults.push(`the text ${used} in package.nls.json is empty`);
  }
  for (const key of unusedKeys(manifest, texts))
    faults.push(`nothing uses the text ${key} of package.nls.json: run \`npm run l10n\``);
  return faults;
}

const short = (text) => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** The manifest as a person sees it: every %key% replaced by its text. */
export function spoken(manifest, texts) {
  const copy = structuredClone(manifest);
  for (const { holder, field } of manifestTexts(copy)) holder[field] = texts[keyOf(holder[field])] ?? holder[field];
  return copy;
}
