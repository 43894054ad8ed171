import { operations } from '@liquidity-os/contract/outline'
import { describe, expect, it } from 'vitest'
import { extraRoutes } from '../extra-routes.ts'
import { handlers } from '../handlers.ts'
import { operationRoutes } from './operation-routes.ts'
import { extraRoute } from './route.ts'
import { Router } from './router.ts'

const routes = [...operationRoutes(handlers), ...extraRoutes]
const router = new Router(routes)
const base = '/api/liquidity-studio/v2'

it('knows the whole contract, and more', () => {
  expect(routes.length).toBeGreaterThan(operations.length)
})

it.each(routes.map((route) => [route.id, route] as const))(
  'finds %s with its parameters',
  (_id, route) => {
    const url = route.path.replaceAll(/\{(\w+)\}/g, 'a%20$1')
    const found = router.find(route.method, `${url}?limit=3`)
    expect(found?.route.id).toBe(route.id)
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
    expect(found?.params).toEqual(Object.fromEntries(names.map((name) => [name, `a ${name}`])))
    expect(router.methodsOf(url)).toContain(route.method)
  },
)

it.each(routes.filter(({ method }) => method === 'GET').map((route) => [route.id, route] as const))(
  'answers HEAD with %s',
  (_id, route) => {
    const url = route.path.replaceAll(/\{(\w+)\}/g, 'a')
    expect(router.find('HEAD', url)?.route.id).toBe(route.id)
    expect(router.methodsOf(url)).toContain('HEAD')
  },
)

it.each([
  '',
  '*',
  '//',
  '/venues',
  `${base}`,
  `${base}/`,
  `${base}/venues/`,
  `${base}/Venues`,
  `${base}/venues/%zz`,
  `${base}/venues/${'x'.repeat(501)}`,
  `${base}/nothing-of-ours`,
  `http://elsewhere.example${base}/venues`,
  '/docs/no/such/page/at/all',
  '/health/live/',
  '/auth/organizations//members',
])('finds nothing at %s', (url) => {
  expect(router.find('GET', url)).toBeNull()
  expect(router.methodsOf(url)).toEqual([])
})

describe('a known path with another method', () => {
  it.each([
    [`${base}/venues`, ['GET', 'HEAD', 'POST']],
    ['/auth/logout', ['POST']],
    ['/health/live?really', ['GET', 'HEAD']],
    ['/auth/organizations/org_a/members/a@example.org', ['DELETE']],
  ])('%s is distinguished from an unknown one', (url, methods) => {
    expect(router.find('PUT', url)).toBeNull()
    expect(router.methodsOf(url)).toEqual(methods)
  })
})

it('gives a place to one route only', () => {
  const route = (id: string, path: '/a/{b}' | '/a/{c}') =>
    extraRoute({
      id,
      method: 'GET',
      path,
      answer: () => ({ status: 204, headers: {}, body: null }),
    })
  expect(() => new Router([route('one', '/a/{b}'), route('other', '/a/{c}')])).toThrow(
    'other shares the route GET /a/{c} with another operation.',
  )
})
