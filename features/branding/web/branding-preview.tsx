import { accentPalette, type AccentShades } from '#features/branding/contract/accent.ts';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { Mark } from '#web/ui/mark.tsx';

type BrandingPreviewProps = {
  name: string;
  /** `#rrggbb`; null: Portico's own. */
  accent: string | null;
  mark: string | null;
  /** Next to the sign-in. */
  picture: string | null;
  contact: string;
  hasStatus: boolean;
};

const schemes = ['light', 'dark'] as const;

/** Portico's own, as in `ui/tokens.css`: the page around the preview may have other colours. */
const ownShades = {
  light: { accent: '#0b5e63', strong: '#084a4e', ink: '#ffffff', weak: '#e0eeee' },
  dark: { accent: '#63c4c0', strong: '#86d8d4', ink: '#06201f', weak: '#17302f' },
};

/** The top bar, the sign-in and the maintenance page as people will see them, on light and on dark. */
export function BrandingPreview({ name, accent, mark, picture, contact, hasStatus }: BrandingPreviewProps) {
  const { t } = useTranslation();
  const panel = picture !== null ? 'picture' : mark === null ? 'drawing' : 'accent';
  const palette = accent === null ? ownShades : accentPalette(accent);
  return (
    <div className="stack gap-4">
      {schemes.map((scheme) => (
        <figure key={scheme} className="branding-preview">
          <figcaption className="muted small">
            {t(scheme === 'light' ? 'BRANDING.ON_LIGHT' : 'BRANDING.ON_DARK')}
          </figcaption>
          <div
            className="branding-scene panel"
            data-theme={scheme}
            style={variablesOf(palette[scheme])}
            role="img"
            aria-label={t('BRANDING.PREVIEW_OF', { name })}
          >
            <div className="branding-bar shrinks surface underlined row" aria-hidden="true">
              <span className="accent">
                <Mark size={22} src={mark} />
              </span>
              <strong className="cut" dir="auto">
                {name}
              </strong>
              <span className="branding-tab rigid accent strong">{t('BRANDING.SAMPLE.SCREEN')}</span>
            </div>
            <div className="branding-sign-in grid underlined" aria-hidden="true">
              <div className="branding-entry stack">
                <span className="row gap-3 shrinks">
                  <span className="accent">
                    <Mark size={28} src={mark} />
                  </span>
                  <strong className="cut" dir="auto">
                    {name}
                  </strong>
                </span>
                <span className="branding-field rounded surface" />
                <span className="branding-button strong">{t('BRANDING.SAMPLE.BUTTON')}</span>
              </div>
              <div className="branding-panel relative sunk centered" data-panel={panel}>
                {picture !== null ? (
                  <img src={picture} alt="" />
                ) : panel === 'drawing' ? (
                  <Mark size={88} src={null} />
                ) : null}
              </div>
            </div>
            <div className="branding-closed stack gap-1 centers text-center breaks" aria-hidden="true">
              <span className="accent">
                <Mark size={32} src={mark} />
              </span>
              <small>{name}</small>
              <strong>{t('BRANDING.SAMPLE.CLOSED', { name })}</strong>
              <span className="branding-help above-2 row wrap muted small">
                {contact === '' ? null : (
                  <span>
                    {t('BRANDING.SAMPLE.CONTACT')} <span className="branding-link">{contact}</span>
                  </span>
                )}
                {hasStatus ? <span className="branding-link">{t('BRANDING.SAMPLE.STATUS')}</span> : null}
              </span>
            </div>
          </div>
        </figure>
      ))}
    </div>
  );
}

function variablesOf({ accent, strong, ink, weak }: AccentShades): CSSProperties {
  return {
    '--accent': accent,
    '--accent-strong': strong,
    '--accent-ink': ink,
    '--accent-weak': weak,
  } as CSSProperties;
}
