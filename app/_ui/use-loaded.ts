import { type ComponentType, useEffect, useState } from 'react';

/**
 * A component that is loaded once the page is there; null until then, and where that fails. `load` is the same function at
 * every render.
 */
export function useLoaded<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> | null {
  const [loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    load().then(
      (component) => setLoaded(() => component),
      () => {},
    );
  }, [load]);
  return loaded;
}
