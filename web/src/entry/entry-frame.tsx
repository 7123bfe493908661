import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBranding } from '../platform/branding.ts';
import type { Language } from '../platform/i18n/language.ts';
import { Mark } from '../ui/mark.tsx';
import { LanguageChoice } from './language-choice.tsx';
import '../ui/base.css';
import '../ui/font/font.css';
import './entry.css';

type EntryFrameProps = { chooseLanguage: (language: Language) => void; children: ReactNode };

/**
 * The layout of sign-in, set-up and invitation: a column for the form and, on wide windows, a picture, a panel in the
 * accent colour, or Portico's drawing.
 */
export function EntryFrame({ chooseLanguage, children }: EntryFrameProps) {
  const { t, i18n } = useTranslation();
  const { product, mark, panel } = useBranding();
  return (
    <div className="entry">
      <div className="entry-side">
        <main className="entry-main stack gap-4">
          <span className="entry-mark accent row gap-3">
            <Mark size={40} src={mark} />
            <span>{product}</span>
          </span>
          {children}
        </main>
        <footer className="entry-foot">
          <LanguageChoice
            label={t('DOOR.LANGUAGE')}
            current={i18n.language as Language}
            onChoose={chooseLanguage}
          />
        </footer>
      </div>
      {panel === 'drawing' ? (
        <Facade />
      ) : (
        <div
          className="entry-facade"
          data-panel={panel === 'accent' ? 'accent' : 'picture'}
          aria-hidden="true"
        >
          {panel === 'accent' ? null : <img src={panel.picture} alt="" />}
        </div>
      )}
    </div>
  );
}

const columns = [76, 244, 412, 580];

/** The drawing of a portico; its ground extends to both sides. */
function Facade() {
  return (
    <div className="entry-facade" aria-hidden="true">
      <svg viewBox="0 0 720 640" preserveAspectRatio="xMidYMax meet" focusable="false">
        <path className="entry-stone" d="M360 44 24 196v32h672v-32z" />
        <path className="entry-shade" d="M360 76 106 191h508z" />
        <path className="entry-stone" d="M44 238h632v24H44z" />
        {columns.map((left) => (
          <g key={left} transform={`translate(${left} 0)`}>
            <path
              className="entry-stone"
              d="M0 272h64v12H0zM5 284h54v9H5zM10 293h44l4 239H6zM0 532h64v14H0z"
            />
            <path className="entry-shade" d="M40 293h14l4 239H42z" />
          </g>
        ))}
        <path className="entry-stone" d="M40 546h640v22H40zM16 574h688v24H16zM-3000 604h6720v2000h-6720z" />
      </svg>
    </div>
  );
}
