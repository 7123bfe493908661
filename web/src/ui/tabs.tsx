import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import './tabs.css';

type TabsProps<Key extends string> = {
  label: string;
  /** `count`: how many things the tab holds, next to its label. */
  tabs: readonly { key: Key; label: string; count?: string | undefined }[];
  chosen: Key;
  onChoose: (key: Key) => void;
  /** What the chosen tab shows. */
  children: ReactNode;
};

/** Tabs (WAI-ARIA tabs): arrows, Home and End choose. */
export function Tabs<Key extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Key>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  // Scrolls the chosen tab into view, also when counts have come: on a phone the list is wider than the window.
  useLayoutEffect(() => {
    const tab = document.getElementById(`${id}-${chosen}`);
    const { current: row } = list;
    if (tab === null || row === null) return;
    const observer = new ResizeObserver(() => {
      row.scrollLeft = tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
    });
    for (const each of [row, ...row.children]) observer.observe(each);
    return () => observer.disconnect();
  }, [id, chosen]);

  function move(event: KeyboardEvent<HTMLElement>): void {
    const at = tabs.findIndex(({ key }) => key === chosen);
    const steps: Record<string, number> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = tabs[steps[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.key);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(next)]?.focus();
  }

  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
        {tabs.map(({ key, label: name, count }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => onChoose(key)}
          >
            {name} {count === undefined ? null : <span className="count-pill small">{count}</span>}
          </button>
        ))}
      </div>
      <div className="tab-panel stack" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
