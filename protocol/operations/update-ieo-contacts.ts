import { z } from 'zod';
import { ieoView } from '../entities/ieo.ts';
import * as views from '../entities/views.ts';
import { contactUrl } from '../shapes.ts';
import { defineIeoKeyOperation } from './ieo-key-operation.ts';

interface Fields {
  readonly ieoId: string;
  readonly apiEndpoint: string | null;
  readonly webhookUrl: string | null;
}

/** Sets the URLs where programs reach an institution; both fields are required, null for none. Protocol §1. */
export const updateIEOContacts = defineIeoKeyOperation<Fields>()({
  name: 'updateIEOContacts',
  function: 'updateContacts',
  title: 'Set the contact addresses of an institution',
  routes: [{ method: 'POST', path: '/api/ieo/contacts', limit: 'relayer' }],
  shape: { apiEndpoint: contactUrl.nullable(), webhookUrl: contactUrl.nullable() },
  statuses: ['ACTIVE'],
  publicFacts: ({ fields }) => fields,
  change: (ieo, { apiEndpoint, webhookUrl }, at) => ({
    changes: [{ ...ieo, contacts: { apiEndpoint, webhookUrl }, updatedAt: at }],
  }),
  response: z.object({ ieo: views.ieo }),
  answer: (ieo) => ({ ieo: ieoView(ieo, 'ACCEPTED') }),
});
