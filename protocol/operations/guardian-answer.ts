import type { z } from 'zod';
import type { Guardian, Recovery } from '../entities/guardian.ts';
import type * as views from '../entities/views.ts';
import { refusal } from '../errors.ts';

/** The response to an operation on one guardian. Protocol §4. */
export function guardianAnswer(
  { domain, recovery }: { readonly domain: string | null; readonly recovery: Recovery },
  isSubject: (guardian: Guardian) => boolean,
): z.output<typeof views.guardianSummary> {
  const guardian = recovery.guardians.find(isSubject);
  if (!guardian) throw refusal('INTERNAL');
  const { guardianId, role, status } = guardian;
  return { guardian_id: guardianId, role, status, beo_domain: domain };
}
