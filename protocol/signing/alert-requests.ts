import { z } from 'zod';
import { ALERT_KINDS, MAX_ALERT_ADDRESSES } from '../alerts.ts';
import { mailAddress } from '../mail-address.ts';
import { uniqueList } from '../records/scope.ts';
import { entityReference, oneOf } from '../shapes.ts';
import type { RequestForm } from './message.ts';

const holderForm = (name: string, fields: z.ZodRawShape = {}): RequestForm => ({
  function: name,
  fields: z.strictObject({ beoId: entityReference, ...fields }),
  hints: {},
  introduces: () => ({ keys: [], domains: [] }),
});

/** A holder states where alerts go, and to what. No ledger entry. Protocol §11. */
export const SET_ALERTS = holderForm('setAlerts', {
  addresses: uniqueList(mailAddress, 'addresses', (address) => address.toLowerCase()).refine(
    (addresses) => addresses.length <= MAX_ALERT_ADDRESSES,
    `must have at most ${MAX_ALERT_ADDRESSES} addresses`,
  ),
  kinds: uniqueList(oneOf(ALERT_KINDS), 'kinds').nullish(),
  language: z.string().max(20).nullish(),
});

export const LIST_ALERTS = holderForm('listAlerts');
