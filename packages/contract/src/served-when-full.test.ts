import { describe, expect, it } from 'vitest'
import { errorCodesOf } from './error-codes-of.ts'
import { isServedWhenFull, servedWhenFull } from './served-when-full.ts'
import { extensionOperations, operationById, operations } from './table.ts'

const full = 'LIQUIDITY_ORGANIZATION_STORAGE_FULL'
const mutations = [...operations, ...extensionOperations].filter(({ idempotency }) => idempotency)

describe('operations of a full organization', () => {
  it('is named by operations of the contract, with their codes', () => {
    const untold = mutations.filter((operation) => !errorCodesOf(operation).includes(full))
    expect(untold.map(({ id }) => id).sort()).toEqual([...servedWhenFull.always].sort())
  })

  it.each(Object.entries(servedWhenFull.withBody))(
    '%s knows the values',
    (id, [member, values]) => {
      const operation = operationById.get(id)!
      expect(errorCodesOf(operation)).toContain(full)
      const body = JSON.stringify(operation.body)
      expect(body).toContain(`"${member}":`)
      for (const value of values) {
        expect(body).toContain(`"${value}"`)
        expect(isServedWhenFull(operation, { [member]: value })).toBe(true)
        expect(isServedWhenFull(operation, { [member]: value, payload: {} })).toBe(false)
      }
      expect(isServedWhenFull(operation, { [member]: 'ACTIVE' })).toBe(false)
      expect(isServedWhenFull(operation, null)).toBe(false)
    },
  )

  it('is nothing that only creates', () => {
    const creating = mutations.filter(({ id }) => id.startsWith('create'))
    expect(creating.length).toBeGreaterThan(20)
    for (const operation of creating) {
      expect(isServedWhenFull(operation, { status: 'PAUSED' })).toBe(false)
    }
  })
})
