import { describe, expect, it } from 'vitest'
import { openApiDocument, recordFamilies } from './index.ts'
import { measureUnits } from './measures.ts'

type Schema = Readonly<Record<string, unknown>>

interface Member {
  readonly path: string
  readonly unit: string | undefined
  readonly titles: readonly string[]
  readonly hasAsset: boolean
}

/** Kinds whose numeric members all say a unit, or that they have none. Members of any other kind have none. */
const measuredKinds = [
  'AgentRun',
  'AllocationPlan',
  'CapitalRequirementStudy',
  'ExecutionQuote',
  'LaunchPlan',
  'MarketQualityScore',
  'ProtectedExecutionPlan',
  'QuoteSet',
  'SimulationStudy',
  'TreasuryProjection',
  'TreasuryReconciliation',
  'TreasuryStressStudy',
  'UnlockImpact',
  'VenueObservation',
]

const isNumeric = ({ type, pattern }: Schema) => {
  if (type === 'integer' || type === 'number') return true
  if (typeof pattern !== 'string') return false
  return new RegExp(pattern).test('10') && !new RegExp(pattern).test('xx')
}

/** Every numeric member of a schema, with the annotations on the way to it. */
function numericMembers(schema: Schema, before: Omit<Member, 'path'>, path = ''): Member[] {
  const own = { unit: schema['x-unit'], title: schema['x-title'] }
  const annotations = {
    unit: typeof own.unit === 'string' ? own.unit : before.unit,
    titles: typeof own.title === 'string' ? [...before.titles, own.title] : before.titles,
    hasAsset: before.hasAsset || typeof schema['x-asset'] === 'string',
  }
  const { anyOf, properties, items, additionalProperties } = schema
  if (Array.isArray(anyOf)) {
    return anyOf.flatMap((variant) => numericMembers(variant, annotations, path))
  }
  if (typeof properties === 'object' && properties !== null) {
    return Object.entries(properties).flatMap(([name, member]) =>
      numericMembers(member, annotations, `${path}/${name}`),
    )
  }
  if (typeof items === 'object') return numericMembers(items as Schema, annotations, `${path}/*`)
  if (typeof additionalProperties === 'object') {
    return numericMembers(additionalProperties as Schema, annotations, `${path}/*`)
  }
  return isNumeric(schema) ? [{ path, ...annotations }] : []
}

const membersOf = (type: string) => {
  const family = recordFamilies.find((one) => one.type === type)
  if (!family) throw new Error(`Kind ${type} does not exist.`)
  const none = { unit: undefined, titles: [], hasAsset: false }
  return numericMembers(family.payload as unknown as Schema, none)
}

describe.each(measuredKinds)('every numeric member of %s', (type) => {
  const members = membersOf(type)

  it('has a unit, or says that it has none', () => {
    expect(members.length).toBeGreaterThan(5)
    expect(members.filter(({ unit }) => unit === undefined).map(({ path }) => path)).toEqual([])
  })

  it('has a known unit, a title, and an asset if it is in atoms', () => {
    const figures = members.filter(({ unit }) => unit !== 'NONE')
    expect(figures.length).toBeGreaterThan(0)
    for (const { path, unit = '', titles, hasAsset } of figures) {
      const isPointer = /^[0-9/]/.test(unit)
      expect([...measureUnits], path).toContain(isPointer ? 'ATOMS' : unit)
      expect(titles.length, path).toBeGreaterThan(0)
      if (unit === 'ATOMS' || isPointer) expect(hasAsset, path).toBe(true)
    }
  })

  it('of the request or the specification has none: a parameter is no result', () => {
    const requested = members.filter(({ path }) => /^\/(request|spec)\//.test(path))
    expect(requested.filter(({ unit }) => unit !== 'NONE')).toEqual([])
  })
})

it('lists each member that is deliberately unitless', async () => {
  const lines = measuredKinds.flatMap((type) =>
    [...new Set(membersOf(type).map(({ path, unit }) => `${type}${path} ${unit}`))].filter(
      (line) => !/^\w+\/(request|spec|evidence|calibration)\//.test(line),
    ),
  )
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('generated/measures.txt')
})

it('gives a unit to few members of any other kind: parts that they share with those', () => {
  const others = recordFamilies.filter(({ type }) => !measuredKinds.includes(type))
  expect(others.length).toBeGreaterThan(30)
  const shared = others.flatMap(({ type }) =>
    membersOf(type)
      .filter(({ unit, hasAsset }) => unit !== undefined && unit !== 'NONE' && !hasAsset)
      .map(({ path }) => `${type} ${path.split('/').at(-1)}`),
  )
  expect([...new Set(shared)].sort()).toMatchInlineSnapshot(`
    [
      "MigrationPlan lowerPriceX36",
      "MigrationPlan upperPriceX36",
      "ProjectControlProof errorPips",
      "ProjectControlProof maximumAgeSeconds",
      "ProjectControlProof priceX36",
      "StrategyDefinitionV2 lowerPriceX36",
      "StrategyDefinitionV2 upperPriceX36",
      "TreasuryBucket errorPips",
      "TreasuryBucket maximumAgeSeconds",
      "TreasuryBucket priceX36",
    ]
  `)
})

describe('the OpenAPI document', () => {
  const { components } = openApiDocument() as {
    components: { schemas: Record<string, { properties: Record<string, Schema> }> }
  }
  const memberOf = (name: string, member: string) => components.schemas[name]?.properties[member]

  it('states unit, title, direction and asset of a member next to the reference to its form', () => {
    expect(memberOf('TreasuryProjectedMonth', 'unmetQuote')).toEqual({
      $ref: '#/components/schemas/AtomicAmount',
      'x-unit': 'ATOMS',
      'x-asset': '/payload/quoteKey',
      'x-title': 'Unmet obligations',
      'x-better': 'LOWER',
    })
    expect(memberOf('MarketQualityScore', 'scorePips')).toMatchObject({
      'x-unit': 'PIPS',
      'x-title': 'Market quality score',
      'x-better': 'HIGHER',
    })
  })

  it('leaves the shared forms without any', () => {
    expect(Object.keys(components.schemas.AtomicAmount ?? {})).not.toContain('x-unit')
    expect(Object.keys(components.schemas.Pips ?? {})).not.toContain('x-unit')
  })
})
