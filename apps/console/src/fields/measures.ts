import { createContext, useContext } from 'react'

interface Measure {
  readonly unit: string
  readonly asset: unknown
}

export type Measures = ReadonlyMap<string, Measure>

/** The metrics that a record defines, for members that only reference one. */
export const MeasuresContext = createContext<Measures>(new Map())

/** All metrics defined in a payload, by id: an object with both members is a definition. */
export function measuresOf(value: unknown, found = new Map<string, Measure>()): Measures {
  if (typeof value !== 'object' || value === null) return found
  const { metricId, unit, asset } = value as Record<string, unknown>
  if (typeof metricId === 'string' && typeof unit === 'string' && !found.has(metricId))
    found.set(metricId, { unit, asset })
  for (const inside of Object.values(value)) measuresOf(inside, found)
  return found
}

/** Adds the unit and token of the named metric to an object that states no unit. */
export function measured(value: object, measures: Measures): object {
  const { metricId, unit } = value as Record<string, unknown>
  if (typeof metricId !== 'string' || typeof unit === 'string') return value
  return { ...measures.get(metricId), ...value }
}

/** The same, with the metrics of the enclosing record. */
export function useMeasured<Value>(value: Value): Value {
  const measures = useContext(MeasuresContext)
  return typeof value === 'object' && value !== null ? (measured(value, measures) as Value) : value
}
