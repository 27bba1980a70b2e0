import type { ClientBase } from 'pg';
import { claimName } from './statement-names.ts';

/** One statement, not yet sent; `name` stands for the text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

const prepared = new Map<string, { name: string; text: string }>();

/**
 * Runs statements that write different tables as one: a round trip, a plan and an answer in all. None of them sees what another
 * one writes.
 */
export async function runAsOne(client: Pick<ClientBase, 'query'>, statements: readonly Statement[]): Promise<void> {
  if (statements.length === 0) return;
  const { name, text } = joined(statements);
  await client.query({ name, text, values: statements.flatMap(({ values }) => values) });
}

function joined(statements: readonly Statement[]): { name: string; text: string } {
  for (const { name, text } of statements) claimName(name, text);
  const names = statements.map(({ name }) => name).join(' ');
  const known = prepared.get(names);
  if (known) return known;
  let before = 0;
  const parts = statements.map(({ text, values }, index) => {
    const renumbered = text.replace(/\$(\d+)/g, (_, number) => `$${before + Number(number)}`);
    before += values.length;
    return `part_${index} AS (${renumbered})`;
  });
  const made = { name: `together-${prepared.size}`, text: `WITH ${parts.join(',\n')} SELECT` };
  prepared.set(names, made);
  return made;
}
