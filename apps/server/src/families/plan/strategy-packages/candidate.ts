import type { contract, FieldErrors } from '@liquidity-os/contract'
import { canonicalize, H } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { validateGuard } from '../strategies/api.ts'
import {
  type FilledTemplate,
  fill,
  holesOf,
  validateFilledTemplate,
  validateParameter,
  valuesOf,
} from './template.ts'

export type Candidate = Static<typeof contract.StrategyPackageCandidate>
export type PackagePayload = Static<typeof contract.StrategyPackage>

/** Hash of a package without its name. Equal content means the same package. */
export function contentHashOf({ name: _, ...content }: Candidate): string {
  return H('strategy-package/v1', { ...content, supersedes: content.supersedes ?? null })
}

/**
 * Rejects a template that is no strategy at its defaults, with every fault at its field.
 *
 * @throws Failure 422 LIQUIDITY_PACKAGE_TEMPLATE_INVALID
 */
export function requireTemplate({ template, parameters }: Candidate): void {
  const faults: FieldErrors = {}
  const note = (found: FieldErrors, prefix: string) => {
    for (const [path, messages] of Object.entries(found)) {
      if (Object.keys(faults).length < limits.fieldErrors) faults[`${prefix}.${path}`] = messages
    }
  }
  note(validateParameter(parameters), 'payload.parameters')
  const names = new Set(parameters.map(({ name }) => name))
  const holes = holesOf(template)
  for (const { path, name } of holes) {
    if (name === null)
      note({ [path]: ['must be the whole value if it is a placeholder'] }, 'payload.template')
    else if (!names.has(name)) {
      note({ [path]: [`must be a parameter, got ${name}`] }, 'payload.template')
    }
  }
  for (const [index, { name }] of parameters.entries()) {
    if (holes.some((hole) => hole.name === name)) continue
    note(
      { [`${index}.name`]: [`must have a placeholder in the template, got ${name}`] },
      'payload.parameters',
    )
  }
  if (Object.keys(faults).length === 0) {
    const filled = defaultsOf(template, parameters)
    const found = validateFilledTemplate(filled)
    // A template that matches the schema is a filled template.
    note(
      found ?? validateGuard(filled as FilledTemplate, 'template'),
      found ? 'payload.template' : 'payload',
    )
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_PACKAGE_TEMPLATE_INVALID', { fieldErrors: faults })
  }
}

/** The template with every parameter at its default. */
const defaultsOf = (template: unknown, parameters: Candidate['parameters']) =>
  fill(template, parameters, valuesOf(parameters, {}).values)

/** True if the twin study has an arm that behaves like the template at its defaults. */
export function hasTwinArm({ template, parameters, twin }: Candidate): boolean {
  const own = behaviourOf(defaultsOf(template, parameters) as Record<string, unknown>)
  return twin.spec.arms.some((arm) => 'definition' in arm && behaviourOf(arm.definition) === own)
}

/** Behavior of a definition, independent of names, market and capital. */
function behaviourOf(definition: Readonly<Record<string, unknown>>): string {
  const { name: _, parameters: _p, pair: _m, venue: _v, capital: _c, ...behaviour } = definition
  return canonicalize(behaviour)
}

/** True if one version follows another. */
export function isHigher(version: string, than: string): boolean {
  const [own = [], other = []] = [version, than].map((text) => text.split('.').map(Number))
  const itemIndex = own.findIndex((part, index) => part !== other[index])
  return itemIndex >= 0 && (own[itemIndex] ?? 0) > (other[itemIndex] ?? 0)
}
