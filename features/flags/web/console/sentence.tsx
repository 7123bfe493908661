import { markedParts } from './describe-rule.ts';

/** A sentence about a rule: names bold, values as code. */
export function Sentence({ children }: { children: string }) {
  return (
    <span className="sentence">
      {markedParts(children).map(({ kind, text }, index) => {
        const key = `${index} ${text}`;
        if (kind === 'name')
          return (
            <b key={key} dir="auto">
              {text}
            </b>
          );
        if (kind === 'value')
          return (
            <code key={key} dir="auto">
              {text}
            </code>
          );
        return <span key={key}>{text}</span>;
      })}
    </span>
  );
}
