import { usePathname, useSearchParams } from 'next/navigation';

/** The address of this page with another value of a parameter, or without it, and with a fragment. */
export function useAddressWith(name: string, fragment: string): (value: string | null) => string {
  const path = usePathname();
  const search = useSearchParams();
  return (value) => {
    const parameters = new URLSearchParams(search);
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
    return `${path}${parameters.size > 0 ? `?${parameters}` : ''}#${fragment}`;
  };
}
