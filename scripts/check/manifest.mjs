// What package.json must be so that the extension works in the Marketplace's VS Code and asks for no more than it
// needs. The served VS Code of our tests enables proposed APIs and would not notice; this does. It reads nothing itself.

/** Menus that only work with a proposed API, by exact name or by the part before `*`. */
const proposedMenus = [
  "editor/content",
  "multiDiffEditor/*",
  "diffEditor/gutter/*",
  "scm/inputBox",
  "scm/history*",
  "viewContainer/title",
  "mergeEditor/result/title",
  "comments/comment/editorActions",
  "comments/commentThread/additionalActions",
  "chatSessions/*",
  "agents/*",
];

const category = "Augment";
const settingScopes = ["application", "machine", "machine-overridable", "window", "resource", "language-overridable"];
/** A workspace must not be able to say which program runs or where to connect. */
const namesAProgramOrPlace = /(path|command|binary|executable|endpoint|url|cli)s?$/i;

/**
 * @param {Record<string, any>} manifest the parsed package.json
 * @param {(path: string) => boolean} exists whether a path in the checkout exists
 * @returns {string[]} one phrase for each fault
 */
export function manifestFaults(manifest, exists = () => true) {
  const contributes = manifest.contributes ?? {};
  return [
    ...proposalFaults(manifest, contributes),
    ...commandFaults(contributes),
    ...settingFaults(contributes),
    ...trustFaults(manifest),
    ...iconFaults(contributes, exists),
  ];
}

function proposalFaults(manifest, contributes) {
  const faults = [];
  if (manifest.enabledApiProposals !== undefined) faults.push("enabledApiProposals is not allowed in the Marketplace");
  for (const menu of Object.keys(contributes.menus ?? {})) {
    const proposal = proposedMenus.find((name) =>
      name.endsWith("*") ? menu.startsWith(name.slice(0, -1)) : menu === name,
    );
    if (proposal) faults.push(`menu ${menu} needs a proposed API`);
  }
  return faults;
}

function commandFaults(contributes) {
  const commands = contributes.commands ?? [];
  const faults = [];
  const known = new Set();
  for (const { command, title, category: given } of commands) {
    if (known.has(command)) faults.push(`command ${command} is declared twice`);
    known.add(command);
    if (!title) faults.push(`command ${command} has no title`);
    if (given !== category) faults.push(`command ${command} is not in the category "${category}"`);
  }
  const isOurs = (command) => typeof command === "string" && command.startsWith("augment");
  const mentioned = [
    ...Object.entries(contributes.menus ?? {}).flatMap(([menu, entries]) =>
      entries.map((entry) => [`menu ${menu}`, entry.command]),
    ),
    ...(contributes.keybindings ?? []).map(({ command }) => ["a keybinding", command]),
    ...(contributes.viewsWelcome ?? []).flatMap(({ view, contents = "" }) =>
      [...contents.matchAll(/\(command:([\w.-]+)/g)].map(([, command]) => [`the welcome of ${view}`, command]),
    ),
  ];
  for (const [where, command] of mentioned) {
    const mustBeKnown = !where.startsWith("the welcome") || isOurs(command);
    if (command !== undefined && mustBeKnown && !known.has(command))
      faults.push(`${where} names the command ${command}, which is not declared`);
  }
  return faults;
}

function settingFaults(contributes) {
  const sections = [contributes.configuration ?? []].flat();
  const faults = [];
  for (const [name, setting] of sections.flatMap(({ properties = {} }) => Object.entries(properties))) {
    if (!setting.description && !setting.markdownDescription) faults.push(`setting ${name} has no description`);
    if (!settingScopes.includes(setting.scope)) faults.push(`setting ${name} has no valid scope`);
    else if (namesAProgramOrPlace.test(name) && setting.scope !== "machine") {
      faults.push(`setting ${name} names a program or a place, so its scope must be machine`);
    }
  }
  return faults;
}

function trustFaults(manifest) {
  const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities ?? {};
  const faults = [];
  const supported = untrustedWorkspaces?.supported;
  if (supported !== false && supported !== "limited")
    faults.push("untrusted workspaces must be unsupported or limited");
  if (!untrustedWorkspaces?.description) faults.push("untrusted workspaces need a description that says why");
  const virtual = typeof virtualWorkspaces === "object" ? virtualWorkspaces.supported : virtualWorkspaces;
  if (virtual !== false) faults.push("virtual workspaces must be false");
  if (JSON.stringify(manifest.extensionKind) !== '["workspace"]') faults.push('extensionKind must be ["workspace"]');
  return faults;
}

function iconFaults(contributes, exists) {
  const icons = [
    ...(contributes.commands ?? []).map(({ icon }) => icon),
    ...Object.values(contributes.viewsContainers ?? {}).flatMap((containers) => containers.map(({ icon }) => icon)),
    ...Object.values(contributes.views ?? {}).flatMap((views) => views.map(({ icon }) => icon)),
  ].flatMap((icon) => (typeof icon === "object" ? Object.values(icon) : [icon]));
  return icons
    .filter((icon) => typeof icon === "string" && !icon.startsWith("$(") && !exists(icon))
    .map((icon) => `icon ${icon} does not exist`);
}
