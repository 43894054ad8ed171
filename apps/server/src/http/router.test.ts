import { basePath, operations } from '@liquidity-os/contract/outline'
import { expect, it } from 'vitest'
import { Router } from './router.ts'

const router = new Router()

it.each(operations.map((operation) => [operation.id, operation] as const))(
  'finds %s with its parameters',
  (_id, operation) => {
    const url = basePath + operation.path.replaceAll(/\{(\w+)\}/g, 'a%20$1')
    const found = router.find(operation.method, `${url}?limit=3`)
    expect(found?.operation.id).toBe(operation.id)
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
    expect(found?.params).toEqual(Object.fromEntries(names.map((name) => [name, `a ${name}`])))
    expect(router.methodsOf(url)).toContain(operation.method)
  },
)

it.each([
  '/venues',
  `${basePath}`,
  `${basePath}/`,
  `${basePath}/venues/`,
  `${basePath}/Venues`,
  `${basePath}/venues/%zz`,
  `${basePath}/venues/${'x'.repeat(501)}`,
  `${basePath}/nothing-of-ours`,
])('finds nothing at %s', (url) => {
  expect(router.find('GET', url)).toBeNull()
})

it('tells a known path with another method from an unknown one', () => {
  expect(router.find('DELETE', `${basePath}/venues`)).toBeNull()
  expect(router.methodsOf(`${basePath}/venues`)).toEqual(['GET', 'POST'])
  expect(router.methodsOf(`${basePath}/nothing-of-ours`)).toEqual([])
})
