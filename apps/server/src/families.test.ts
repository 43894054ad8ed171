import { extensionOperations, operations } from '@liquidity-os/contract/outline'
import { describe, expect, it } from 'vitest'
import { families } from './families.ts'
import { handlers } from './handlers.ts'

const declared = [...operations, ...extensionOperations]

describe.each(Object.keys(families))('the module %s', (moduleName) => {
  it('has a handler of each of its operations, and of no other', async () => {
    const { family } = await families[moduleName]!()
    const served = declared.filter((one) => one.module === moduleName)
    expect(Object.keys(family.operations).toSorted()).toEqual(served.map(({ id }) => id).toSorted())
    for (const { id } of served) {
      const { default: handler } = await handlers[id]!()
      expect([id, handler.operation.id]).toEqual([id, id])
    }
  })
})

it('every operation has a module that the service knows', () => {
  const homeless = declared.filter(({ module }) => !families[module ?? ''])
  expect(homeless.map(({ id }) => id)).toEqual([])
})
