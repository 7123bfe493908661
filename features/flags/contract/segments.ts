import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { instant, line, prose, version } from '#contract/text.ts';

/** `list`: values of one attribute. `condition`: a condition like that of a rule. */
export const segmentKind = z.enum(['list', 'condition']);
export type SegmentKind = z.infer<typeof segmentKind>;

/** The form of the ids of GrowthBook's saved groups. Rules refer to the id, so it never changes. */
export const segmentId = z.string().check(z.regex(/^grp_[A-Za-z0-9_-]{1,60}$/));

export const mostValues = 100_000;

/** A named set of people that rules can refer to; GrowthBook's saved group. */
export const segment = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  kind: segmentKind,
  /** The attribute whose values a list holds. */
  attribute: z.string(),
  /** True: the values of a list are numbers, not texts; to SDKs, 7 and "7" are different. */
  numbers: z.boolean(),
  /** Null: it is a list. */
  condition: z.unknown(),
  /** How many values a list has. */
  size: z.number(),
  createdAt: instant,
  changedAt: instant,
  /** The name or email of the person who changed it last. */
  changedBy: z.nullable(z.string()),
  version,
});
export type Segment = z.infer<typeof segment>;

/** A flag or segment that refers to a segment; `enabled`: it is a flag that clients receive. */
export const segmentUse = z.object({
  kind: z.enum(['flag', 'segment']),
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
});
export type SegmentUse = z.infer<typeof segmentUse>;

const fields = {
  name: line(1, 100),
  description: prose(0, 2000),
  /** Of a list. */
  attribute: line(0, 200),
  numbers: z.boolean(),
  /** One value per line; blank lines, spaces around a value and repeated values are dropped. */
  values: z.optional(z.string()),
  /** Of a condition. */
  condition: z.optional(z.unknown()),
};

const one = z.object({ segmentId });
/** 100,000 values of 36 characters are 3.8 MB. */
const bodyLimit = 8_388_608;

export const listSegments = route({
  method: 'GET',
  path: '/v1/segments',
  summary: 'All segments by name, without the values of lists',
  access: { right: 'FLAGS_READ' },
  answer: z.object({
    segments: z.array(
      z.object({
        ...segment.shape,
        /** The number of flags that change with the segment. */
        flags: z.number(),
      }),
    ),
  }),
});
export type ListedSegment = z.infer<(typeof listSegments)['answer']>['segments'][number];

export const getSegment = route({
  method: 'GET',
  path: '/v1/segments/:segmentId',
  summary: 'One segment with its values and what uses it',
  access: { right: 'FLAGS_READ' },
  params: one,
  answer: z.object({
    ...segment.shape,
    /** One to a line. */
    values: z.string(),
    /** First the flags that use the segment, directly or through another segment; then the segments that use it. */
    usedBy: z.array(segmentUse),
  }),
});
export type SegmentDetails = z.infer<(typeof getSegment)['answer']>;

export const createSegment = route({
  method: 'POST',
  path: '/v1/segments',
  summary: 'Creates a segment; `id` is for one that comes from elsewhere, and a taken one is 409',
  access: { right: 'FLAGS_WRITE' },
  creates: true,
  body: z.strictObject({ ...fields, kind: segmentKind, id: z.optional(segmentId) }),
  bodyLimit,
  answer: segment,
  status: 201,
});

export const updateSegment = route({
  method: 'PUT',
  path: '/v1/segments/:segmentId',
  summary: 'Changes a segment, and the values or the condition where they are sent; a stale version is 409',
  access: { right: 'FLAGS_WRITE' },
  params: one,
  body: z.strictObject({ ...fields, version }),
  bodyLimit,
  answer: segment,
});

export const deleteSegment = route({
  method: 'DELETE',
  path: '/v1/segments/:segmentId',
  summary: 'Deletes a segment; 409 while rules or other segments use it',
  access: { right: 'FLAGS_WRITE' },
  params: one,
  query: z.object({ version: z.coerce.number().check(z.int(), z.minimum(1)) }),
  answer: 'nothing',
});

/** The values in a text, each once, in the order of the text. */
export function valuesIn(text: string): string[] {
  const lines = text.split('\n').map((each) => each.trim());
  return [...new Set(lines)].filter((each) => each !== '');
}
