import { PLACES, type Place, withIdentityStore } from './identity-store.ts';
import { forgetVisits } from './last-visit.ts';
import { forgetOffered } from './offered.ts';
import { forgetTabDrafts } from './tab-draft.ts';

/** Deletes what an identity keeps from this browser. */
export async function forgetStored(id: string): Promise<void> {
  forgetVisits(id);
  forgetOffered(id);
  forgetTabDrafts(id);
  const places = Object.keys(PLACES) as Place[];
  await Promise.allSettled(
    places.map((place) =>
      withIdentityStore(place, async (store) => {
        const names = place === 'receipts' ? (await store.names()).filter((name) => name.startsWith(`${id}:`)) : [id];
        for (const name of names) await store.delete(name);
      }),
    ),
  );
}
