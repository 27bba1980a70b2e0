/** Why an address cannot be a contact. */
export type ContactProblem = 'notHttps' | 'credentials' | 'url' | 'local' | 'bad';

const MEANT: readonly (readonly [RegExp, ContactProblem])[] = [
  [/https/, 'notHttps'],
  [/credentials/, 'credentials'],
  [/local machine|private or reserved/, 'local'],
  [/URL|white space/, 'url'],
];

/** By the rule of the protocol; null for a valid address, or where the rule could not be loaded: the server checks it too. */
export async function contactProblem(url: string): Promise<ContactProblem | null> {
  const rule = await import('../../../../protocol/entities/contacts.ts').catch(() => null);
  const phrase = rule?.contactUrlProblem(url) ?? null;
  if (phrase === null) return null;
  return MEANT.find(([words]) => words.test(phrase))?.[1] ?? 'bad';
}
