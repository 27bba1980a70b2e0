import { z } from 'zod';
import { entityReference, instant, oneOf, text } from '../shapes.ts';
import { CERT_LEVELS } from './ieo.ts';
import type { Decision } from './proposal.ts';

const ieoId = entityReference;
const reason = text('the reason', { max: 500 });

const withReason = z.strictObject({ ieoId, reason });

/** The parameters of each action of the institute. Protocol §3. */
const PARAMS = {
  suspendIEO: withReason,
  reinstateIEO: z.strictObject({ ieoId }),
  revokeIEO: withReason,
  changeCertLevel: z.strictObject({ ieoId, level: oneOf(CERT_LEVELS), expiresAt: instant.nullish() }),
} satisfies { readonly [Action in Decision['action']]: z.ZodType };

export const ACTIONS = Object.keys(PARAMS) as Decision['action'][];

export const ACTION_PARAMS = [...new Set(Object.values(PARAMS))];

export const paramsOf = (action: Decision['action']): z.ZodType => PARAMS[action];
