import { contract, type FieldErrors } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { compileSchema } from '../../../http/validators.ts'
import { limits } from '../../../limits.ts'

export type Parameter = Static<typeof contract.PackageParameter>
export type FilledTemplate = Static<typeof contract.FilledTemplate>
/** Values by parameter: whole numbers as decimal strings. */
export type Values = Readonly<Record<string, string>>

const wholeNumber = /^(0|-?[1-9][0-9]{0,77})$/
const wholeHole = /^\$\{([a-z][a-zA-Z0-9]{0,39})\}$/
const numberUnits: readonly string[] = contract.numberUnits

/**
 * Placeholders of a template by path. The name is null if the placeholder is only part of a string.
 */
export function holesOf(template: unknown): { path: string; name: string | null }[] {
  const found: { path: string; name: string | null }[] = []
  walk(template, '', (text, path) => {
    if (text.includes('${')) found.push({ path, name: wholeHole.exec(text)?.[1] ?? null })
    return text
  })
  return found
}

/** Fills a template. A value becomes a number or a decimal string, depending on its unit. */
export function fill(template: unknown, parameters: readonly Parameter[], values: Values): unknown {
  const units = new Map(parameters.map(({ name, unit }) => [name, unit]))
  return walk(template, '', (text) => {
    const name = wholeHole.exec(text)?.[1]
    // A parameter can have the name of an inherited object property.
    if (name === undefined || !Object.hasOwn(values, name)) return text
    const value = values[name]
    const unit = units.get(name)
    return unit !== undefined && numberUnits.includes(unit) ? Number(value) : value
  })
}

/** Copies a value and applies `replace` to every string. */
function walk(
  value: unknown,
  path: string,
  replace: (text: string, path: string) => unknown,
): unknown {
  if (typeof value === 'string') return replace(value, path)
  if (typeof value !== 'object' || value === null) return value
  const at = (name: string | number) => (path === '' ? `${name}` : `${path}.${name}`)
  if (Array.isArray(value)) return value.map((item, index) => walk(item, at(index), replace))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, walk(member, at(name), replace)]),
  )
}

/** Value per parameter: the given one, else the default. Errors use the given names. */
export function valuesOf(
  parameters: readonly Parameter[],
  given: Values,
): { values: Values; faults: FieldErrors } {
  const faults: FieldErrors = {}
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  for (const [name, value] of Object.entries(given)) {
    const parameter = known.get(name)
    const fault = parameter ? valueFault(parameter, value) : 'is not a parameter of the package'
    if (fault) faults[name] = [fault]
    if (Object.keys(faults).length === limits.fieldErrors) break
  }
  const values = Object.fromEntries(
    parameters.map(({ name, default: usual }) => [
      name,
      (Object.hasOwn(given, name) ? given[name] : undefined) ?? usual,
    ]),
  )
  return { values, faults }
}

function valueFault({ unit, min, max }: Parameter, value: string): string | null {
  if (!wholeNumber.test(value)) return `must be a whole number of ${unit}, got ${value}`
  const isWithin = BigInt(min) <= BigInt(value) && BigInt(value) <= BigInt(max)
  return isWithin ? null : `must be ${min} to ${max} ${unit}, got ${value}`
}

/** Errors in parameter declarations, by index. */
export function validateParameter(parameters: readonly Parameter[]): FieldErrors {
  const faults: FieldErrors = {}
  const seen = new Set<string>()
  for (const [index, parameter] of parameters.entries()) {
    const { name, unit, min, max } = parameter
    if (seen.has(name)) faults[`${index}.name`] = [`must be unique, got ${name} twice`]
    seen.add(name)
    const fault = valueFault(parameter, parameter.default)
    if (fault) faults[`${index}.default`] = [fault]
    if (BigInt(min) > BigInt(max)) faults[`${index}.max`] = [`must be at least min ${min}`]
    const isNegativeAmount = !numberUnits.includes(unit) && min.startsWith('-')
    if (isNegativeAmount) faults[`${index}.min`] = ['must not be below zero: it is an amount']
    const isExact = [min, max].every((bound) => Number.isSafeInteger(Number(bound)))
    if (numberUnits.includes(unit) && !isExact) {
      faults[`${index}.max`] = [`must be a number of at most 53 bits for ${unit}`]
    }
  }
  return faults
}

let validator: ReturnType<typeof compileSchema> | null = null

/** Schema errors of a filled template, by path; null if valid. */
export function validateFilledTemplate(filled: unknown): FieldErrors | null {
  validator ??= compileSchema(contract.FilledTemplate)
  return validator(filled)
}
