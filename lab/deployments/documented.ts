import { readFileSync } from 'node:fs';

/**
 * The commands that a document gives in a section: its indented blocks, in order, without those of its subsections. What a
 * test runs is what an operator reads.
 */
export function commandsIn(document: string, section: string): readonly string[] {
  const lines = readFileSync(document, 'utf8').split('\n');
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === section);
  if (from === -1) throw new Error(`${document} has no section "${section}".`);
  const length = lines.slice(from + 1).findIndex((line) => /^#+ /.test(line));
  const text = `\n${lines.slice(from + 1, length === -1 ? undefined : from + 1 + length).join('\n')}`;
  // A line of a list is indented too, but follows another line of it.
  const blocks = [...text.matchAll(/(?<=\n\n)((?: {4,}.*\n|\n(?= {4}))+)/g)].map(([block]) => unindented(block));
  if (blocks.length === 0) throw new Error(`The section "${section}" of ${document} has no commands.`);
  return blocks;
}

function unindented(block: string): string {
  const lines = block.trimEnd().split('\n');
  const margin = Math.min(...lines.filter((line) => line !== '').map((line) => line.search(/\S/)));
  return `${lines.map((line) => line.slice(margin)).join('\n')}\n`;
}

/** The lines of a block up to the one that a pattern finds, and those after it. */
export function splitAfter(block: string, pattern: RegExp): readonly [string, string] {
  const lines = block.split('\n');
  const index = lines.findIndex((line) => pattern.test(line));
  if (index === -1) throw new Error(`No line of these commands matches ${pattern}:\n${block}`);
  return [lines.slice(0, index + 1).join('\n'), lines.slice(index + 1).join('\n')];
}
