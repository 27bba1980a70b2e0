import { certificationView, type Ieo, type IeoView, ieoView } from '../../../protocol/entities/ieo.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { EntityRead, Readers } from '../../entities/readers.ts';
import type { Clock } from '../../platform/db/clock.ts';

interface Parts {
  readonly readers: Readers;
  readonly clock: Clock;
}

/** @throws DOMAIN_INVALID, IEO_NOT_FOUND */
export const readIeoByDomain = async ({ readers }: Pick<Parts, 'readers'>, domain: string): Promise<IeoView> =>
  view(await readers.IEO.byDomain(domain));

/** By any form of the alias rule. @throws VALIDATION_FAILED, IEO_NOT_FOUND */
export const readIeoByReference = async ({ readers }: Pick<Parts, 'readers'>, reference: string): Promise<IeoView> =>
  view(await readers.IEO.byReference(reference, 'ieoId'));

/** The current certification of an institution. @throws VALIDATION_FAILED, IEO_NOT_FOUND */
export async function readCertification(parts: Parts, reference: string) {
  return certificationView(found(await parts.readers.IEO.byReference(reference, 'ieoId')).entity, parts.clock.now());
}

function view(read: EntityRead<'IEO'> | null): IeoView {
  const { entity, status } = found(read);
  return ieoView(entity, status);
}

function found(read: EntityRead<'IEO'> | null): EntityRead<'IEO'> & { readonly entity: Ieo } {
  if (!read) throw refusal('IEO_NOT_FOUND');
  return read;
}
