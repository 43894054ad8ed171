import type { TSchema } from 'typebox'

/**
 * What a member of a record measures: its unit, its title and which way is good. The annotations are printed in the OpenAPI
 * document, and a decision pack takes them from the member that it points at.
 *
 * `x-unit` and `x-asset` also hold for everything below a member, until a nearer one replaces them. The titles on the way to a
 * member are its label. `x-asset`, and an `x-unit` or `x-better` that begins with a digit or a slash, are pointers to the member
 * that says it: from the record (RFC 6901), or from the annotated member itself (`1/assetKey` is beside it).
 */
export const measureUnits = [
  'ATOMS',
  'PIPS',
  'PRICE_X18',
  'PRICE_X36',
  'MONTHS_X3',
  'DAYS_X3',
  'DAYS',
  'COUNT',
  'TIME',
  'TEXT',
  'FLAG',
  'SECONDS',
  'MULTIPLE_X3',
  'MULTIPLE_X6',
  'MULTIPLE_X18',
] as const
export type MeasureUnit = (typeof measureUnits)[number]
export type Better = 'HIGHER' | 'LOWER' | 'NEITHER'

/** Names of the annotations, as they stand in a schema. */
export const measureKeywords = ['x-unit', 'x-title', 'x-better', 'x-asset'] as const
export type Measure = { readonly [K in (typeof measureKeywords)[number]]?: string }

const inUnit =
  (unit: MeasureUnit) =>
  (title: string, better: Better = 'NEITHER'): Measure => ({
    'x-unit': unit,
    'x-title': title,
    'x-better': better,
  })

export const pips = inUnit('PIPS')
export const months = inUnit('MONTHS_X3')
export const days = inUnit('DAYS')
export const daysX3 = inUnit('DAYS_X3')
export const seconds = inUnit('SECONDS')
export const count = inUnit('COUNT')
export const priceX18 = inUnit('PRICE_X18')
export const priceX36 = inUnit('PRICE_X36')
export const multipleX3 = inUnit('MULTIPLE_X3')
export const multipleX6 = inUnit('MULTIPLE_X6')
export const multipleX18 = inUnit('MULTIPLE_X18')

/** Atoms of the asset that stands at a pointer; one with the address of a token takes the `chainId` beside it. */
export const atoms = (asset: string, title: string, better?: Better): Measure => ({
  ...inUnit('ATOMS')(title, better),
  'x-asset': asset,
})

/** A title without a unit: a part of the label of everything below. `{1/metric}` is replaced by what stands there. */
export const titled = (title: string): Measure => ({ 'x-title': title })

/** Deliberately without a unit: what was asked for, identifiers, positions in lists, parameters of a method. */
export const unitless: Measure = { 'x-unit': 'NONE' }

/** A copy of a schema with annotations; the original may stand elsewhere too. */
export function annotated<const S extends TSchema>(schema: S, measure: Measure): S {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as S
  return Object.assign(copy, measure)
}

type Members<S> = S extends { properties: infer P } ? { readonly [K in keyof P]?: Measure } : never

/** Says of members of an object what they measure. */
export function measured<const S extends TSchema & { properties: Record<string, TSchema> }>(
  schema: S,
  members: Members<S>,
): S {
  const properties = { ...schema.properties }
  for (const [name, measure] of Object.entries(members as Record<string, Measure>)) {
    const member = properties[name]
    if (member) properties[name] = annotated(member, measure)
  }
  return Object.assign(schema, { properties })
}

/** One measure for several members with titles of their own. */
export const each = (
  measureOf: (title: string) => Measure,
  titles: Readonly<Record<string, string>>,
): Record<string, Measure> =>
  Object.fromEntries(Object.entries(titles).map(([name, title]) => [name, measureOf(title)]))

/** Splits the annotations from what else a schema says. */
export function splitMeasure(schema: Readonly<Record<string, unknown>>) {
  const isMeasure = ([name]: [string, unknown]) =>
    measureKeywords.some((keyword) => keyword === name)
  const all = Object.entries(schema)
  return {
    measure: Object.fromEntries(all.filter(isMeasure)) as Measure,
    others: Object.fromEntries(all.filter((entry) => !isMeasure(entry))),
  }
}
