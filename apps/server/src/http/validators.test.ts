import { AtomicAmount, contract, operations } from '@liquidity-os/contract'
import { getAddress } from 'viem'
import { expect, it } from 'vitest'
import { compileSchema, validatorsOf } from './validators.ts'

const validate = compileSchema({
  type: 'object',
  properties: { amount: AtomicAmount },
  required: ['amount'],
})
const largest = 2n ** 256n - 1n

it.each([0n, 1n, 10n ** 77n, largest])('takes an amount of %s', (amount) => {
  expect(validate({ amount: String(amount) })).toBeNull()
})

it.each([largest + 1n, 2n * 10n ** 77n, 10n ** 78n - 1n])('refuses an amount of %s', (amount) => {
  const { amount: amountErrors } = validate({ amount: String(amount) }) ?? {}
  expect(amountErrors?.[0]).toMatch(/^must be at most 2\^256 - 1, 115792.*got/s)
})

it('names the member of the one form that is meant, also where null would do', () => {
  const { pilot } = contract.createMigrationPlans.body.properties.payload.properties
  const stop = { kind: 'DEPTH_BELOW', bandPips: 20_000, timeSharePips: 0 }
  const faultsOf = compileSchema(pilot)
  for (const minQuote of [`${largest + 1n}`, 'x']) {
    expect(Object.keys(faultsOf({ stop: [{ ...stop, minQuote }] }) ?? {})).toEqual([
      'stop.0.minQuote',
    ])
  }
  expect(faultsOf('none')?.['(body)']?.[0]).toMatch(/^must match one of the forms/)
})

it('names the discriminator of forms and its values, if a value matches none', () => {
  const faultsOf = compileSchema(contract.applyDecisionPackCommand.body)
  expect(faultsOf({ command: 'AGREE', reason: 'For the test' })).toEqual({
    command: [
      'must be one of "REVISE", "REFRESH_EVIDENCE", "SUBMIT", "APPROVE", "DISSENT", "REJECT", "WITHDRAW", "RECORD_OUTCOME", got "AGREE"',
    ],
  })
  const { pilot } = contract.createMigrationPlans.body.properties.payload.properties
  const fieldErrors = compileSchema(pilot)({ stop: [{ kind: 'DEPTH', bandPips: 20_000 }] }) ?? {}
  expect(Object.keys(fieldErrors)).toContain('stop.0.kind')
  expect(fieldErrors['stop.0.kind']?.[0]).toMatch(/^must be one of .*"DEPTH_BELOW".*, got "DEPTH"$/)
})

it('takes a first status where a caller decides it, and otherwise says that the service sets it', () => {
  const creates = operations.filter(({ method, success, body, bodyIsRaw }) => {
    const members = body && 'properties' in body ? Object.keys(body.properties as object) : []
    return (
      method === 'POST' &&
      !bodyIsRaw &&
      success.includes(201) &&
      members.includes('payload') &&
      members.includes('reason')
    )
  })
  const messages = creates.map(({ id }) => {
    const { status } = validatorsOf(id).body!({ status: 'NONE' }) ?? {}
    return [id, status?.[0]] as const
  })
  const listed = messages.filter(([, message]) => message?.startsWith('must be one of '))
  expect(listed.map(([id]) => id).sort()).toEqual([
    'createAutonomyPolicies',
    'createIntents',
    'createMarketMakerMandates',
    'createProposals',
    'createStrategies',
    'createVenues',
    'putOperatingSystemProvider',
  ])
  const others = messages.filter((one) => !listed.includes(one))
  expect(others.length).toBeGreaterThan(20)
  for (const [id, message] of others)
    expect([id, message]).toEqual([id, 'must be omitted: the service sets it'])
})

it('compiles an operation once, for whichever request, service or picture comes first', () => {
  expect(validatorsOf('createVenues')).toBe(validatorsOf('createVenues'))
})

const rootstock = '0xE700691Da7B9851F2F35f8b8182C69C53ccad9DB'
const canonical = getAddress(rootstock.toLowerCase())

it.each([
  ['30', rootstock],
  ['31', rootstock],
  ['30', `eip155:30:${rootstock}`],
  ['30', `rsk:${canonical}`],
  ['1', `eth:${canonical}`],
  ['1', ` eip155:1:${canonical} `],
])('reads a pasted address of chain %s: %s', (chainId, address) => {
  const query = { chainId, address }
  expect(validatorsOf('detectMarkets').query(query)).toBeNull()
  expect(query.address).toBe(canonical)
})

it.each([
  ['1', rootstock, 'must have a valid EIP-55 checksum'],
  ['30', `eth:${canonical}`, 'must be an address without prefix'],
  ['1', `eip155:30:${rootstock}`, 'must be an address without prefix'],
])('rejects a pasted address on chain %s: %s', (chainId, address, message) => {
  const { 'query.address': faults } =
    validatorsOf('detectMarkets').query({ chainId, address }) ?? {}
  expect(faults?.[0]).toContain(message)
})

it('takes the chain of an address from the body that names it', () => {
  const { body: validateBody } = validatorsOf('createVenues')
  const withChain = (chainId: number) => {
    const body = structuredClone(contract.createVenues.example.body) as unknown as {
      payload: { address: string; pair: { chainId: number; base: string } }
    }
    body.payload.address = rootstock
    body.payload.pair = { ...body.payload.pair, chainId, base: rootstock }
    return body
  }
  const body = withChain(30)
  expect(validateBody?.(body)).toBeNull()
  expect([body.payload.address, body.payload.pair.base]).toEqual([canonical, canonical])
  const names = Object.keys(validateBody?.(withChain(1)) ?? {})
  expect(names.sort()).toEqual(['payload.address', 'payload.pair.base'])
})
