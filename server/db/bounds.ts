import { z } from 'zod';
import { MAX_PAGE_SIZE } from '../../protocol/page.ts';

/** How long a page may be, and how long it is where nobody asks. Protocol §4, §8. */
export interface PageBounds {
  readonly max: number;
  readonly fallback: number;
}

export const LIST_BOUNDS: PageBounds = { max: MAX_PAGE_SIZE, fallback: 50 };
export const RECORD_BOUNDS: PageBounds = { max: MAX_PAGE_SIZE, fallback: 100 };

/** The length of a page as both transports take it: beyond `max` it is `max`. Protocol §1. */
export const boundedLimit = ({ max, fallback }: PageBounds) =>
  z
    .int()
    .min(1)
    .transform((asked) => Math.min(asked, max))
    .default(Math.min(fallback, max));
