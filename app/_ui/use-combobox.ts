import { type KeyboardEvent, type PointerEvent, useState } from 'react';

type ComboboxOptions = {
  /** The id of the list; those of the options begin with it. */
  listId: string;
  /** The number of options; 0 closes the list. */
  count: number;
  /** The option that is active when the list opens: -1 for none. */
  first: 0 | -1;
  onPick: (index: number) => void;
  /** Escape, Tab or a press elsewhere. */
  onClose?: () => void;
};

/**
 * The keys and the ARIA attributes of a combobox with a listbox (WAI-ARIA APG): the input keeps the focus, the arrows move the
 * active option, Enter picks it.
 */
export function useCombobox({ listId, count, first, onPick, onClose }: ComboboxOptions) {
  const [active, setActive] = useState<number>(first);
  const isActive = active >= 0 && active < count;

  const pick = (index: number) => {
    setActive(first);
    onPick(index);
  };

  /** @returns whether the key was one of the combobox */
  const takeKey = (event: KeyboardEvent): boolean => {
    if (count === 0) return false;
    const { key } = event;
    if (key === 'Enter' && isActive) pick(active);
    else if (key === 'ArrowDown') setActive(isActive ? (active + 1) % count : 0);
    else if (key === 'ArrowUp') setActive(isActive ? (active - 1 + count) % count : count - 1);
    else if (key === 'Escape' && onClose) {
      event.stopPropagation();
      onClose();
      return true;
    } else return false;
    event.preventDefault();
    return true;
  };

  return {
    active,
    /** For another list of options. */
    restart: () => setActive(first),
    takeKey,
    input: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': count > 0,
      'aria-controls': listId,
      'aria-activedescendant': isActive ? `${listId}-${active}` : undefined,
    },
    /** For an element in the listbox; the input keeps the focus. */
    option: (index: number) => ({
      id: `${listId}-${index}`,
      role: 'option' as const,
      'aria-selected': index === active,
      onPointerDown: (event: PointerEvent) => event.preventDefault(),
      onClick: () => pick(index),
    }),
  } as const;
}
