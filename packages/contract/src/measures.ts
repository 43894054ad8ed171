import type { TSchema } from 'typebox'

/**
 * Measure of a record member: unit, title and better direction. The annotations appear in the
 * OpenAPI document, and decision packets take them from the referenced member.
 *
 * `x-unit` and `x-asset` apply to all descendants unless overridden. The titles on the path to a
 * member form its label. `x-asset`, and an `x-unit` or `x-better` that starts with a digit or
 * slash, are pointers to the defining member. A pointer starts at the record (RFC 6901), or at the
 * annotated member (`1/assetKey` is its sibling).
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

/** Atoms of the asset at a pointer; a token address uses the sibling `chainId`. */
export const atoms = (asset: string, title: string, better?: Better): Measure => ({
  ...inUnit('ATOMS')(title, better),
  'x-asset': asset,
})

/**
 * A title without unit: a part of the label of all descendants. `{1/metric}` is replaced by the
 * value there.
 */
export const titled = (title: string): Measure => ({ 'x-title': title })

/** Deliberately without unit: request data, identifiers, list positions, method parameters. */
export const unitless: Measure = { 'x-unit': 'NONE' }

/** An annotated copy of a schema; the original may be in use elsewhere. */
export function annotated<const S extends TSchema>(schema: S, measure: Measure): S {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as S
  return Object.assign(copy, measure)
}

type Members<S> = S extends { properties: infer P } ? { readonly [K in keyof P]?: Measure } : never

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

/** One measure for several members with separate titles. */
export const each = (
  measureOf: (title: string) => Measure,
  titles: Readonly<Record<string, string>>,
): Record<string, Measure> =>
  Object.fromEntries(Object.entries(titles).map(([name, title]) => [name, measureOf(title)]))

/** Separates the measure annotations from the rest of a schema. */
export function splitMeasure(schema: Readonly<Record<string, unknown>>) {
  const isMeasure = ([name]: [string, unknown]) =>
    measureKeywords.some((keyword) => keyword === name)
  const all = Object.entries(schema)
  return {
    measure: Object.fromEntries(all.filter(isMeasure)) as Measure,
    others: Object.fromEntries(all.filter((entry) => !isMeasure(entry))),
  }
}
