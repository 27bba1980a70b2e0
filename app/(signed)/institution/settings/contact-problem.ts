/** Why an address cannot be a contact, as far as it is worth telling apart. */
export type ContactProblem = 'notHttps' | 'credentials' | 'url' | 'local' | 'bad';

const MEANT: readonly (readonly [RegExp, ContactProblem])[] = [
  [/https/, 'notHttps'],
  [/credentials/, 'credentials'],
  [/local machine|private or reserved/, 'local'],
  [/URL|white space/, 'url'],
];

/** By the protocol's own rule; null where it would be taken, or where the rule could not be fetched: then the server says so. */
export async function contactProblem(url: string): Promise<ContactProblem | null> {
  const rule = await import('../../../../protocol/contacts.ts').catch(() => null);
  const phrase = rule?.contactUrlProblem(url) ?? null;
  if (phrase === null) return null;
  return MEANT.find(([words]) => words.test(phrase))?.[1] ?? 'bad';
}
