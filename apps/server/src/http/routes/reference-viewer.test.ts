import { basePath } from '@liquidity-os/contract/outline'
import { expect, it } from 'vitest'
import { loadViewer } from './reference-viewer.ts'

it('takes page and script out of the package, and the document from this service', async () => {
  const { page, script } = await loadViewer()
  const html = String((await page.formFor({})).body)
  expect(html).toContain('<title>Liquidity OS API</title>')
  expect(html).toContain(`${basePath}/openapi.json`)
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
  expect(addresses).toEqual(['js/scalar.js'])
  expect(String((await script.formFor({})).body)).toContain('createApiReference')
})

it('reads the package once', async () => {
  const [one, other] = await Promise.all([loadViewer(), loadViewer()])
  expect(one.script).toBe(other.script)
})
