import { z } from 'zod';
import { refusal } from '../../protocol/errors.ts';
import { defineBeoKeyOperation } from '../../protocol/operations/beo-key-operation.ts';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import { time } from '../../protocol/response-shapes.ts';

/** Test code: the operation of docs/adding-an-operation.md. The holder states that the identity is still in use. */
export const renewBEO = defineBeoKeyOperation<{ beoId: string }>()({
  name: 'renewBEO',
  function: 'renewBEO',
  title: 'Renew an identity',
  routes: [{ method: 'POST', path: '/api/relayer/beo/renew', limit: 'relayer' }],
  shape: {},
  publicFacts: ({ fields }) => fields,
  change(beo, { acceptedAt }) {
    if (beo.status === 'LOCKED') throw refusal('BEO_LOCKED');
    return { changes: [{ ...beo, updatedAt: acceptedAt }] };
  },
  errors: ['BEO_LOCKED'],
  response: z.object({ renewed_at: time }),
  answer: (beo) => ({ renewed_at: beo.updatedAt }),
});

/** Adds the row to the table. Import this file before every module that reads the table. */
(OPERATIONS as AnyOperation[]).push(renewBEO);
