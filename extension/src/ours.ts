// What is ours in VS Code begins alike: commands, views, panels. Pure.

export function ours(name: string): string {
  return `augment-orchestrator.${name}`;
}
