import { onTestFinished, vi } from 'vitest';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../test-service.ts';

/** A service until the end of the test; `locks` sees each look at the head, which brings the database's time along. */
export async function service(...options: Parameters<typeof startTestService>) {
  const started = await startTestService(...options);
  onTestFinished(() => started.stop());
  const locks = vi.spyOn(started.service.context.clock, 'observe');
  return { ...started, locks };
}

export const create = ({ post }: TestService, domain = freshDomain()): Promise<Answer> => {
  const person = newPerson();
  return post('/api/relayer/beo', person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null }));
};

/** One after the other, so that each is a batch of its own. */
export async function createMany(by: TestService, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await create(by)).status);
  return statuses;
}
