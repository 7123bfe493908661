import { describe, expect, it } from 'vitest';
import { getBranding, getMark, securityTxt, setBranding } from '#features/branding/contract/branding.ts';
import { maintenancePage } from '#contract/pages.ts';
import { setMaintenance, getMaintenance } from '#features/maintenance/contract/settings.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, provedOn } from '#server/testing/fresh-database.ts';
import { addToken } from '#server/testing/people.ts';
import { pictureFile } from '#server/testing/pictures.ts';
import { pngFile, pngOf } from '#server/testing/png.ts';
import { signIn } from '#server/testing/signed-in.ts';

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64');
const mark = { data: base64(drawing) };
/** With a scan, without which it draws nothing. */
const jpeg = Buffer.concat([
  pictureFile('jpeg', 40, 30).subarray(0, -2),
  Buffer.from('ffda0008010100003f00010203ffd9', 'hex'),
]);

async function pageOf(app: TestApp, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + path, { headers: { accept: 'text/html', ...headers } });
  const text = await response.text();
  const [, boot = '{}'] = /id="boot"[^>]*>(.*?)<\/script>/s.exec(text) ?? [];
  const [, nonce = ''] = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? [];
  return { text, nonce, branding: (JSON.parse(boot) as { branding?: unknown }).branding };
}

describe.each(engines)('branding on %s', (engine) => {
  const once = provedOn(engine);
  it('CON-1: name, mark and accent are in every page from its first byte, and go again', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const own = {
      name: null,
      accent: null,
      mark: null,
      shownMark: null,
      picture: null,
      contact: null,
      statusUrl: null,
      changedAt: null,
      changedBy: null,
      names: {},
      version: 1,
    };
    expect((await operator.call(getBranding, {})).body).toEqual(own);
    const before = await pageOf(app, '/invitation');
    const noHelp = { contact: null, statusUrl: null };
    expect(before.branding).toEqual({ product: 'Portico', mark: null, panel: 'drawing', ...noHelp });
    expect(before.text).toContain('<title>invitation · Portico</title>');
    expect(before.text).not.toContain('id="branding"');

    const name = 'Haus <b>__NONCE__</b> & "Co"';
    const body = { name, accent: '#FFE600', mark, version: 1 };
    const set = (await operator.call(setBranding, { body })).body;
    expect(set).toMatchObject({
      name,
      accent: '#ffe600',
      mark: { contentType: 'image/svg+xml' },
      version: 2,
    });
    const url = set.mark?.url ?? '';

    const cookie = operator.browser.cookies.header('/');
    for (const [path, headers] of [
      ['/invitation', {}],
      ['/', { cookie }],
    ] as const) {
      const { text, nonce, branding } = await pageOf(app, path, headers);
      expect(branding).toEqual({ product: name, mark: url, panel: 'accent', ...noHelp });
      expect(text).toContain(
        ' · Haus &lt;b&gt;&#95;&#95;NONCE&#95;&#95;&lt;/b&gt; &amp; &quot;Co&quot;</title>',
      );
      expect(text).toContain(`<link rel="icon" type="image/svg+xml" href="${url}" />`);
      // After the page's own styles, whose palette it replaces.
      expect(text).toMatch(
        /<style id="branding" nonce="[^"]+">:root,\[data-theme='light'\]\{--accent:#\w{6};[^<]*<\/style><\/head>/,
      );
      expect(text).toContain(`<style id="branding" nonce="${nonce}">`);
      expect(text.lastIndexOf('rel="stylesheet"')).toBeLessThan(text.indexOf('id="branding"'));
    }
    const shell = await pageOf(app, '/', { cookie });
    expect(shell.text).toContain(`<img class="mark" src="${url}" alt="" width="22" height="22" />`);

    const served = await fetch(app.url + url);
    expect(await served.text()).toBe(drawing);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    });

    const saved = (
      await operator.call(setBranding, { body: { name: 'Installation', accent: null, version: 2 } })
    ).body;
    expect(saved).toMatchObject({ name: 'Installation', accent: null, mark: { url } });
    const stale = await operator.call(setBranding, { body: { name: 'Late', accent: null, version: 2 } });
    expect(stale.problem?.code).toBe('VERSION_CONFLICT');

    const reset = { name: null, accent: null, mark: null, version: 3 };
    await operator.call(setBranding, { body: reset });
    expect(
      (await pageOf(app, '/invitation')).text.replaceAll(/nonce="[^"]*"|id="boot".*?<\/script>/gs, ''),
    ).toBe(before.text.replaceAll(/nonce="[^"]*"|id="boot".*?<\/script>/gs, ''));
    expect((await app.call(getMark, { params: { markId: url.split('/').at(-1) ?? '' } })).status).toBe(404);

    const rows = await app.database.read
      .selectFrom('audit')
      .select(['before', 'after'])
      .where('action', '=', 'branding.update')
      .execute();
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toContain(mark.data.slice(0, 20));
  });

  it.each(once)('CON-1: security.txt names the contact, where it is an address', async () => {
    const app = await startApp({ engine });
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'] });
    const shown = () => fetch(app.url + securityTxt.path);
    expect((await shown()).status).toBe(404);
    let version = 1;
    const textWith = async (contact: string) => {
      const body = { name: null, accent: null, contact, version };
      ({ version } = (await app.call(setBranding, { body }, { accessToken })).body);
      const answer = await shown();
      return answer.status === 200 ? answer.text() : null;
    };
    expect(await textWith('Room 12')).toBeNull();
    const inSomeWeeks = new Date(Date.now() + 29 * 86_400_000).toISOString();
    for (const [contact, line] of [
      ['security@example.org', 'mailto:security@example.org'],
      ['https://example.org/report', 'https://example.org/report'],
      ['+49 30 1234', 'tel:+49301234'],
    ] as const) {
      const text = (await textWith(contact)) ?? '';
      expect(text).toMatch(/^Contact: .*\nExpires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\nCanonical: .*\n$/);
      expect(text).toContain(`Contact: ${line}\n`);
      expect(text).toContain(`Canonical: ${app.config.publicUrl}${securityTxt.path}\n`);
      expect((/Expires: (.*)/.exec(text)?.[1] ?? '') > inSomeWeeks).toBe(true);
    }
  });

  it.each(once)('CON-1: the maintenance page carries it too, and it survives a restart', async () => {
    const app = await startApp({ engine });
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE', 'MAINTENANCE_WRITE'] });
    const body = { name: 'Installation', accent: '#aa3300', mark, version: 1 };
    const { mark: shown } = (await app.call(setBranding, { body }, { accessToken })).body;
    const { version } = (await app.call(getMaintenance, {}, { accessToken })).body;
    const closed = { mode: 'full', text: '', severity: 'HIGH', expectedEnd: null, version } as const;
    await app.call(setMaintenance, { body: closed }, { accessToken });
    await app.stop();
    const again = await startApp({ after: app });
    const { text, branding } = await pageOf(again, maintenancePage.path);
    expect(branding).toMatchObject({ product: 'Installation', mark: shown?.url });
    expect(text).toContain(`<img class="mark" src="${shown?.url}" alt="" width="22" height="22" />`);
    expect(text).toContain('id="branding"');
    expect((await fetch(again.url + (shown?.url ?? ''))).status).toBe(200);
  });

  it.each(once)('CON-1: shows no mark of Portico next to another name, and whom to ask', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const body = {
      name: 'Émile & Söhne',
      accent: '#aa3300',
      picture: { data: base64(jpeg) },
      contact: 'help_desk@example.org',
      statusUrl: 'https://status.example.org/?a=1&b=2',
      version: 1,
    };
    const set = (await operator.call(setBranding, { body })).body;
    expect([set.mark, set.shownMark?.contentType]).toEqual([null, 'image/svg+xml']);
    const letter = await (await fetch(app.url + (set.shownMark?.url ?? ''))).text();
    expect(letter).toContain(`>&#${'É'.codePointAt(0)};</text>`);
    expect(letter).toContain('fill="#aa3300"');
    const picture = await fetch(app.url + (set.picture?.url ?? ''));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);

    const { branding, text } = await pageOf(app, '/invitation');
    expect(branding).toEqual({
      product: body.name,
      mark: set.shownMark?.url,
      panel: { picture: set.picture?.url },
      contact: { text: body.contact, href: `mailto:${body.contact}` },
      statusUrl: body.statusUrl,
    });
    expect(text).toContain(`<link rel="icon" type="image/svg+xml" href="${set.shownMark?.url}" />`);

    // A field that is left out stays; null removes it.
    const left = { name: null, accent: null, contact: 'Room 4711, or the desk', version: 2 };
    const kept = (await operator.call(setBranding, { body: left })).body;
    expect(kept).toMatchObject({ shownMark: null, picture: set.picture, statusUrl: body.statusUrl });
    expect((await pageOf(app, '/invitation')).branding).toMatchObject({
      contact: { text: left.contact, href: null },
    });
    const gone = { ...left, picture: null, contact: null, statusUrl: null, version: 3 };
    await operator.call(setBranding, { body: gone });
    expect((await pageOf(app, '/invitation')).branding).toMatchObject({ panel: 'drawing', contact: null });
  });

  it.each(once)('CON-1: refuses what is no mark, no colour and no name, and changes nothing', async () => {
    const app = await startApp({ engine });
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'] });
    const good = { name: null, accent: null, version: 1 };
    const wrong = async (change: Record<string, unknown>) => {
      const { status, problem } = await app.call(
        setBranding,
        { body: { ...good, ...change } },
        { accessToken },
      );
      return [status, ...(problem?.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)];
    };
    const ofMark = (bytes: string | Uint8Array) => wrong({ mark: { data: base64(bytes) } });
    const png = pngFile({ width: 32, height: 32 });
    const damaged = Buffer.from(png);
    damaged[40] = (damaged[40] ?? 0) ^ 1;

    expect(await ofMark('<html xmlns="http://www.w3.org/1999/xhtml"><svg/></html>')).toEqual([
      422,
      '/mark type',
    ]);
    expect(await ofMark('<svgx/>')).toEqual([422, '/mark type']);
    for (const begin of ['<!--', '<!DOCTYPE svg [', '<?xml ', ' ', '<!---->'])
      expect([begin, await ofMark(begin.repeat(10_000))]).toEqual([begin, [422, '/mark type']]);
    expect(await ofMark(Buffer.from([...Buffer.from('<svg>'), 0xff, 0xfe]))).toEqual([422, '/mark broken']);
    expect(await ofMark('GIF89a')).toEqual([422, '/mark type']);
    expect(await ofMark('a text')).toEqual([422, '/mark type']);
    expect(await ofMark(pngFile({ width: 4_000, height: 2 }))).toEqual([422, '/mark too_big']);
    expect(await ofMark(png.subarray(0, -20))).toEqual([422, '/mark broken']);
    expect(await ofMark(damaged)).toEqual([422, '/mark broken']);
    expect(await ofMark(Buffer.alloc(262_145, 60))).toEqual([422, '/mark too_big']);
    expect(await wrong({ mark: { data: 'not base64!!' } })).toEqual([422, '/mark broken']);
    expect(await wrong({ mark: { data: 'A'.repeat(400_000) } })).toEqual([422, '/mark/data too_big']);
    expect(await wrong({ picture: { data: 'A'.repeat(2_000_000) } })).toEqual([413]);
    for (const statusUrl of [
      'javascript:alert(1)',
      'https://ada:secret@example.org',
      '/status',
      'https://:80',
    ])
      expect([statusUrl, (await wrong({ statusUrl }))[0]]).toEqual([statusUrl, 422]);
    expect(await wrong({ picture: { data: base64('GIF89a') } })).toEqual([422, '/picture type']);
    expect(await wrong({ picture: { data: base64(jpeg.subarray(0, -2)) } })).toEqual([
      422,
      '/picture broken',
    ]);
    for (const accent of ['red', '#12345', '#gggggg', 'url(x)', '#fff;}', '#1234567', ''])
      expect([accent, await wrong({ accent })]).toEqual([accent, [422, '/accent format']]);
    for (const name of ['', '  ', 'a\nb', 'a\u0000b', '\u202ebc', 'x'.repeat(41)])
      expect([name, (await wrong({ name }))[0]]).toEqual([name, 422]);
    expect((await app.call(getBranding, {}, { accessToken })).body.version).toBe(1);

    // What is not drawn stays behind.
    const end = png.length - 12;
    const comment = pngOf([{ type: 'tEXt', data: Buffer.from('Author\u0000Somebody') }]).subarray(8);
    const chatty = Buffer.concat([png.subarray(0, end), comment, png.subarray(end)]);
    const body = { ...good, mark: { data: base64(chatty) } };
    const set = (await app.call(setBranding, { body }, { accessToken })).body;
    const served = await fetch(app.url + (set.mark?.url ?? ''));
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
  });

  it.each(once)('CON-1: a drawing is stored as editors write it', async () => {
    const app = await startApp({ engine });
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'] });
    const written =
      '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by an editor -->\n' +
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd" [<!ENTITY ns "x">]>\n' +
      drawing.replace('<path', '<metadata><rdf:RDF/></metadata><path');
    const body = { name: null, accent: null, mark: { data: base64(written) }, version: 1 };
    const set = (await app.call(setBranding, { body }, { accessToken })).body;
    const served = await fetch(app.url + (set.mark?.url ?? ''));
    expect(served.headers.get('content-type')).toBe('image/svg+xml');
    expect(Buffer.from(await served.arrayBuffer()).toString()).toBe(written);
  });

  it('CON-1: of two who change it at once one gets a conflict', async () => {
    const app = await startApp({ engine });
    const accessToken = await addToken(app, { rights: ['SETTINGS_WRITE'] });
    const change = (name: string) =>
      app.call(setBranding, { body: { name, accent: null, version: 1 } }, { accessToken });
    const answers = await Promise.all(['One', 'Two', 'Three'].map(change));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
  });
});

describe('branding on two replicas', () => {
  it('CON-1 RUN-1: is shown by the other, which serves the mark at once', async () => {
    const one = await startApp({ engine: 'postgres' });
    const other = await startApp({ replicaOf: one });
    const accessToken = await addToken(one, { rights: ['SETTINGS_WRITE'] });
    const body = { name: 'Installation', accent: null, mark, version: 1 };
    const set = (await one.call(setBranding, { body }, { accessToken })).body;
    expect((await fetch(other.url + (set.mark?.url ?? ''))).status).toBe(200);
    const title = async () => / · (.*?)</.exec((await pageOf(other, '/invitation')).text)?.[1];
    await expect.poll(title).toBe('Installation');
  });
});
