import { common } from './en-common.ts';
import { errors } from './en-errors.ts';
import { home } from './en-home.ts';

/** Every sentence a person reads, in English. Another language is another value of the same type. */
export const en = { locale: 'en-GB', common, home, errors };

export type Messages = typeof en;
