import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const server = join(import.meta.dirname, '..')

/**
 * Test files that call `startTestService`, and why. Other tests name the fixture `service` of `support/fixtures.ts`. A test that
 * needs other settings, or that stops or fills its service, calls `serviceForTest`. The list may only shrink.
 */
const starters: Readonly<Record<string, string>> = {
  'agent-runs-words.test.ts': 'a table of answers names the model server',
  'autonomy-policies.test.ts': 'stops its chain',
  'client-package.test.ts': 'builds a package beside the service',
  'deployment-files.test.ts': 'fills the metrics of its service',
  'discovery.test.ts': 'compares two services with other settings',
  'disk-full.test.ts': 'fills its disk',
  'every-operation/examples.test.ts': 'configures what the examples name',
  'every-operation/vault-fields.test.ts': 'a table of scenes names the price source',
  'job-events.test.ts': 'stops its service',
  'launch-deployment.test.ts': 'counts the calls of its node',
  'offers.test.ts': 'compares two services with other settings',
  'position-tokens.test.ts': 'shares ids of positions with its chain',
  'proof.test.ts': 'stops its services and replaces their keys',
  'shutdown.test.ts': 'stops its services',
  'token-page.test.ts': 'compares two services with other settings',
}

const files = globSync(['test/**/*.test.ts', 'src/**/*.test.ts'], {
  cwd: server,
  exclude: ['test/browser/**'],
})
const read = (file: string) => readFileSync(join(server, file), 'utf8')

it('starts no service outside the fixtures but in the files of the list', () => {
  const found = files.filter((file) => /\bstartTestService\(/.test(read(file)))
  expect(found.map((file) => file.replace('test/', '')).sort()).toEqual(
    Object.keys(starters).sort(),
  )
  expect(found.length).toBeLessThanOrEqual(15)
})

it('changes no fixture for the files that follow', () => {
  expect(files.filter((file) => /\b(?:it|test|\w+Test)\.override\(/.test(read(file)))).toEqual([])
})
