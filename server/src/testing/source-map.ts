import { uploadSourceMap } from '#features/diagnostics/contract/source-maps.ts';
import { request, type RouteAnswer } from './route-request.ts';

/** A map of `/assets/main.js`: line 1, columns 0 to 20 are line 3 of `src/load.ts`, where it is called `load`. */
export const smallMap = {
  version: 3,
  sources: ['../src/load.ts'],
  sourcesContent: ['// The first line.\n\nexport function load() {\n  throw new Error();\n}\n'],
  names: ['load'],
  mappings: 'AAEAA',
};

/** Uploads a source map as the command line does. */
export function uploadMap(
  baseUrl: string,
  accessToken: string,
  { map = smallMap, query = 'release=1.0.0&file=/assets/main.js' }: { map?: unknown; query?: string } = {},
): Promise<RouteAnswer> {
  return request(baseUrl, uploadSourceMap, { accessToken, query, ...mapForm(map) });
}

/** The form in which a map is sent. */
export function mapForm(map: unknown): { raw: string; contentType: string } {
  const text = typeof map === 'string' ? map : JSON.stringify(map);
  const head =
    'Content-Disposition: form-data; name="map"; filename="main.js.map"\r\nContent-Type: application/json';
  return {
    raw: `--sample\r\n${head}\r\n\r\n${text}\r\n--sample--\r\n`,
    contentType: 'multipart/form-data; boundary=sample',
  };
}
