import {
  flagDocument,
  mostImported,
  type FlagImport,
  type ImportedFlag,
  type ImportedSegment,
} from '#features/flags/contract/flag-exchange.ts';
import { excessOf, jsonLossProblem } from '#server/platform/http/json-shape.ts';
import { invalid } from '#server/platform/http/http-problem.ts';
import { isObject } from './condition.ts';
import { growthbookEnvironments, mapGrowthbookApi, mapGrowthbookPayload } from './import-growthbook.ts';
import { mapUnleash, unleashEnvironments } from './import-unleash.ts';
import type { Mapped } from './mapped.ts';

export type ImportRequest = { document: string; environment?: string | undefined };

type ReadImport = Pick<FlagImport, 'format' | 'environments' | 'environment'> & { mapped: Mapped };

/** Room for several lists of a hundred thousand values in one payload; a parser still reads this size quickly. */
const largestShape = { levels: 64, members: 200_000, entries: 1_000_000 };

/** Detects the format of a document, and maps its flags and segments. Throws INVALID_BODY, BAD_JSON. */
export function readImport({ document, environment }: ImportRequest): ReadImport {
  const found = readDocuments(parse(document), environment);
  const { flags, segments, unmapped } = found.mapped;
  if (flags.length > mostImported)
    throw invalid('/document', 'too_big', `must have at most ${mostImported} flags, and has ${flags.length}`);
  if (flags.length + segments.length + unmapped.length === 0)
    throw invalid('/document', 'empty', 'has no flags and no segments');
  return found;
}

function parse(text: string): unknown {
  if (excessOf(text, largestShape) !== null)
    throw invalid('/document', 'too_big', 'has too many levels or entries');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalid('/document', 'json', 'is not JSON');
  }
  const loss = jsonLossProblem(text);
  if (loss !== null) throw loss;
  return parsed;
}

function readDocuments(parsed: unknown, asked: string | undefined): ReadImport {
  const documents = (Array.isArray(parsed) ? parsed : [parsed]).filter(isObject);
  const [first = {}] = documents;
  const none = { environments: [], environment: '' };
  if (first['portico'] === 'flags') {
    const read = flagDocument.safeParse(first);
    const [issue] = read.error?.issues ?? [];
    if (!read.success)
      throw invalid('/document', 'invalid', `${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''}`);
    const { flags, segments } = first as { flags: ImportedFlag[]; segments: ImportedSegment[] };
    return { format: 'portico', ...none, mapped: { flags, segments, unmapped: [] } };
  }
  if (isObject(first['features']))
    return { format: 'growthbook', ...none, mapped: mapGrowthbookPayload(first) };
  if (!documents.some((one) => Array.isArray(one['features']) || Array.isArray(one['savedGroups'])))
    throw invalid(
      '/document',
      'format',
      'is no export of Portico or Unleash, and no payload or answer of GrowthBook',
    );
  const isUnleash = documents.some((one) => Array.isArray(one['featureStrategies']));
  const environments = isUnleash ? unleashEnvironments(documents) : growthbookEnvironments(documents);
  const environment = chosen(environments, asked);
  return isUnleash
    ? { format: 'unleash', environments, environment, mapped: mapUnleash(documents, environment) }
    : {
        format: 'growthbook-api',
        environments,
        environment,
        mapped: mapGrowthbookApi(documents, environment),
      };
}

/** The environment that was asked for; otherwise `production`, or the first one. */
function chosen(environments: readonly string[], asked: string | undefined): string {
  if (asked !== undefined && asked !== '') {
    if (environments.includes(asked)) return asked;
    throw invalid('/environment', 'unknown', `is none of ${environments.join(', ')}`);
  }
  return environments.find((name) => name === 'production') ?? environments[0] ?? '';
}
