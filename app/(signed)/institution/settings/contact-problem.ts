/** Why an address cannot be a contact. */
export type ContactProblem = 'notHttps' | 'credentials' | 'url' | 'local' | 'bad';

const PROBLEM_BY_MESSAGE: readonly (readonly [RegExp, ContactProblem])[] = [
  [/https/, 'notHttps'],
  [/credentials/, 'credentials'],
  [/local machine|private or reserved/, 'local'],
  [/URL|white space/, 'url'],
];

/** By the rule of the protocol. Null for a valid address, or if the rule cannot be loaded: the server checks it too. */
export async function contactProblem(url: string): Promise<ContactProblem | null> {
  const rule = await import('../../../../protocol/entities/contacts.ts').catch(() => null);
  const message = rule?.contactUrlProblem(url) ?? null;
  if (message === null) return null;
  return PROBLEM_BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1] ?? 'bad';
}
