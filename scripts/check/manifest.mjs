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
/** Scopes that no file of a workspace can set. */
const ownScopes = ["application", "machine"];
/** A workspace must not be able to say which program runs or where to connect, nor let through what a person decides. */
const namesAProgramOrPlace =
  /(path|command|binary|executable|program|server|endpoint|url|uri|host|port|cli|shell|args|arguments|env|environment|agent)s?$/i;
const loosensApproval =
  /(approv|permi(t|ssion)|trust|allow|confine|sandbox|token|secret|credential|skip|auto(?!save))/i;
/** Commands that need no host: they only show something. */
const neverDisabled = /\.((show|focus)[A-Z]\w*|tryDemo|openWalkthrough)$/;

/**
 * @param {Record<string, any>} manifest the parsed package.json, with its texts put in
 * @param {(path: string) => boolean} exists whether a path in the checkout exists
 * @returns {string[]} one phrase for each fault
 */
export function manifestFaults(manifest, exists = () => true) {
  const contributes = manifest.contributes ?? {};
  return [
    ...proposalFaults(manifest, contributes),
    ...commandFaults(contributes),
    ...paletteFaults(contributes),
    ...settingFaults(manifest, contributes),
    ...listingFaults(manifest),
    ...trustFaults(manifest),
    ...fileFaults(contributes, exists),
    ...walkthroughFaults(contributes, exists),
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
    ...linked(contributes).filter(([, command]) => isOurs(command)),
  ];
  for (const [where, command] of mentioned) {
    if (command !== undefined && !known.has(command))
      faults.push(`${where} names the command ${command}, which is not declared`);
  }
  return faults;
}

/** A step that names what is not there can never be completed, or shows an empty picture; VS Code says nothing of it. */
function walkthroughFaults({ walkthroughs = [], commands = [], views = {} }, exists) {
  const known = new Set(commands.map(({ command }) => command));
  const viewIds = new Set(Object.values(views).flatMap((all) => all.map(({ id }) => id)));
  return walkthroughs.flatMap(({ id: walkthrough, steps = [] }) =>
    steps.flatMap(({ id, media = {}, completionEvents = [] }) => {
      const where = `step ${id} of the walkthrough ${walkthrough}`;
      const events = completionEvents.map(
        (event) => event.match(/^(onCommand|onView|onContext|onLink):(.+)$/) ?? [event],
      );
      const ofKind = (wanted) => events.filter(([, kind]) => kind === wanted).map(([, , name]) => name);
      const picture = media.svg ?? media.image ?? media.markdown;
      return [
        ...ofKind("onCommand")
          .filter((command) => command.startsWith("augment") && !known.has(command))
          .map((command) => `${where} names the command ${command}, which is not declared`),
        ...ofKind("onView")
          .filter((view) => !viewIds.has(view))
          .map((view) => `${where} names the view ${view}, which is not declared`),
        ...events
          .filter((event) => event.length === 1)
          .map(([event]) => `${where} waits for ${event}, which never comes`),
        ...(events.length === 0 ? [`${where} says nothing that completes it`] : []),
        ...(typeof picture === "string" && exists(picture) ? [] : [`${where} has no picture that exists`]),
        ...(picture === media.markdown || media.altText ? [] : [`${where} does not say what its picture shows`]),
      ];
    }),
  );
}

/** Commands that texts link to, with where. */
function linked(contributes) {
  const texts = [
    ...(contributes.viewsWelcome ?? []).map(({ view, contents = "" }) => [`the welcome of ${view}`, contents]),
    ...(contributes.walkthroughs ?? []).flatMap(({ steps = [] }) =>
      steps.map(({ id, description = "" }) => [`the walkthrough's step ${id}`, description]),
    ),
    ...[contributes.configuration ?? []]
      .flat()
      .flatMap(({ properties = {} }) => Object.entries(properties))
      .map(([name, { markdownDescription = "" }]) => [`the setting ${name}`, markdownDescription]),
  ];
  return texts.flatMap(([where, text]) =>
    [...text.matchAll(/\(command:([\w.-]+)/g)].map(([, command]) => [where, command]),
  );
}

/** Every command can be found, does something when it is found, and is off when it could not. */
function paletteFaults(contributes) {
  const palette = new Map((contributes.menus?.commandPalette ?? []).map(({ command, when }) => [command, when]));
  const reached = new Set([
    ...Object.entries(contributes.menus ?? {}).flatMap(([menu, entries]) =>
      menu === "commandPalette" ? [] : entries.map(({ command }) => command),
    ),
    ...(contributes.keybindings ?? []).map(({ command }) => command),
    ...linked(contributes).map(([, command]) => command),
  ]);
  const faults = [];
  const titles = new Map();
  for (const { command, title, enablement } of contributes.commands ?? []) {
    const shown = palette.get(command) !== "false";
    if (!enablement && !neverDisabled.test(command)) faults.push(`command ${command} has no enablement`);
    if (shown && titles.has(title))
      faults.push(`commands ${titles.get(title)} and ${command} have the same title in the palette`);
    if (shown) titles.set(title, command);
    if (!shown && !reached.has(command))
      faults.push(`command ${command} is hidden from the palette, and nothing else leads to it`);
  }
  for (const [command, when] of palette) {
    if (when === undefined) faults.push(`the palette entry of ${command} says nothing: give it a when`);
  }
  return faults;
}

/** Few, in titled groups, described in Markdown, and none that a workspace could abuse. */
function settingFaults(manifest, contributes) {
  const faults = [];
  if (contributes.configuration !== undefined && !Array.isArray(contributes.configuration))
    faults.push("configuration must be a list of titled groups");
  const groups = [contributes.configuration ?? []].flat();
  for (const { title, properties } of groups) {
    if (!title) faults.push(`the settings ${Object.keys(properties ?? {}).join(", ")} have no title above them`);
  }
  const restricted = manifest.capabilities?.untrustedWorkspaces?.restrictedConfigurations ?? [];
  const settings = groups.flatMap(({ properties = {} }) => Object.entries(properties));
  for (const [name, setting] of settings) {
    if (!setting.markdownDescription) faults.push(`setting ${name} has no markdownDescription`);
    if (setting.default === undefined) faults.push(`setting ${name} has no default`);
    if (!settingScopes.includes(setting.scope)) {
      faults.push(`setting ${name} has no valid scope`);
      continue;
    }
    const why = whyOwn(name, setting);
    if (why === undefined) continue;
    if (!ownScopes.includes(setting.scope))
      faults.push(`setting ${name} ${why}, so its scope must be machine or application`);
    if (!restricted.includes(name)) faults.push(`setting ${name} ${why}, so it belongs into restrictedConfigurations`);
  }
  for (const name of restricted) {
    if (!settings.some(([known]) => known === name))
      faults.push(`restrictedConfigurations names ${name}, which is no setting`);
  }
  return faults;
}

/** Why only the person's own settings may say it; undefined where anybody may. */
function whyOwn(name, setting) {
  const types = [setting.type].flat();
  if (namesAProgramOrPlace.test(name)) return "names a program or a place";
  if (loosensApproval.test(name)) return "could let something through";
  // Whatever its name: a text that is not one of a few can name anything.
  if (types.some((type) => type === "string" || type === "array" || type === "object") && !setting.enum)
    return "takes any text";
  return undefined;
}

/** What the Marketplace shows. */
function listingFaults(manifest) {
  const faults = [];
  for (const field of ["displayName", "description", "publisher", "license", "icon", "categories", "keywords"]) {
    if (manifest[field] === undefined) faults.push(`${field} is missing`);
  }
  if ((manifest.keywords?.length ?? 0) > 30) faults.push("the Marketplace takes 30 keywords at most");
  if (manifest.repository !== undefined || manifest.homepage !== undefined || manifest.bugs !== undefined)
    faults.push("there is no public repository whose address could be given");
  if (manifest.icon?.endsWith(".svg")) faults.push("the Marketplace takes no SVG icon");
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

/** Icons and schemas are files of the checkout. */
function fileFaults(contributes, exists) {
  const files = [
    ...(contributes.commands ?? []).map(({ icon }) => icon),
    ...Object.values(contributes.viewsContainers ?? {}).flatMap((containers) => containers.map(({ icon }) => icon)),
    ...Object.values(contributes.views ?? {}).flatMap((views) => views.map(({ icon }) => icon)),
    ...(contributes.jsonValidation ?? []).map(({ url }) => url),
  ].flatMap((icon) => (typeof icon === "object" ? Object.values(icon) : [icon]));
  return files
    .filter((file) => typeof file === "string" && !file.startsWith("$(") && !exists(file))
    .map((file) => `${file.endsWith(".json") ? "schema" : "icon"} ${file} does not exist`);
}
