import type { StateFile } from './audit-state-file.ts';
import type { Ended } from './replayed-state.ts';

/** Ended entities that are not written to the database yet. One entry can end any number of consents. */
export interface EndedQueue {
  add(ended: Ended): void;
  /** Removes and yields them in their order. */
  take(): Iterable<Ended>;
}

const PAGE = 256;

export function createEndedQueue(file: StateFile): EndedQueue {
  file.query('CREATE TABLE ended (row INTEGER PRIMARY KEY, entity TEXT NOT NULL)').run();
  const insert = file.query('INSERT INTO ended (entity) VALUES (?)');
  const page = file.query(`SELECT row, entity FROM ended ORDER BY row LIMIT ${PAGE}`);
  const remove = file.query('DELETE FROM ended WHERE row <= ?');
  return {
    add: (ended) => void insert.run(JSON.stringify(ended)),
    *take() {
      for (let rows = page.all(); rows.length > 0; rows = page.all()) {
        remove.run(rows.at(-1)?.row ?? 0);
        for (const { entity } of rows) yield JSON.parse(String(entity)) as Ended;
      }
    },
  };
}
