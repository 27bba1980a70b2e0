import type { Pool } from 'pg';
import { expect } from 'vitest';

/** Every value of every table as text; bytes also decoded as text. */
export async function everythingStored(pool: Pool): Promise<string> {
  const tables = await pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  expect(tables.rows.length).toBeGreaterThan(9);
  const parts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      parts.push(
        Buffer.isBuffer(value) ? `${value.toString('hex')} ${value.toString('latin1')}` : JSON.stringify(value),
      );
    }
  }
  return parts.join('\n');
}

/** Expects that a text contains no secret in plain text, hex or base64. */
export function expectNoSecrets(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    const bytes = Buffer.from(secret);
    for (const form of [secret, bytes.toString('hex'), bytes.toString('base64').replace(/.?.?=*$/, '')]) {
      expect(text.includes(form), `${secret} as ${form}`).toBe(false);
    }
  }
}
