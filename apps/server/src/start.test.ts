import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

/** Modules that a start must not wait for: each takes a multiple of the rest, and is loaded with its first use. */
const dear =
  /\/node_modules\/(viem|typebox|kysely|ajv|pg-boss|pdfkit|highs|undici|@scalar)\/|\/packages\/engine\//

it('loads nothing dear before it serves', async () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import(${JSON.stringify(new URL('./service.ts', import.meta.url).href)})
    for (const file of ['./http/server.ts', './handlers.ts', './extra-routes.ts']) {
      await import(new URL(file, ${JSON.stringify(import.meta.url)}).href)
    }
    console.log(JSON.stringify(loaded))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  const loaded = JSON.parse(stdout) as string[]
  expect(loaded.length).toBeGreaterThan(50)
  expect(loaded.filter((url) => dear.test(url))).toEqual([])
})
