import { writeFileSync } from 'node:fs'
import { openApiDocument, operationsPage } from '../src/openapi.ts'

/** Writes the committed copies of the OpenAPI document and of the one-page list of operations. */
const file = (name: string) => new URL(`../${name}`, import.meta.url)
writeFileSync(file('openapi.json'), `${JSON.stringify(openApiDocument(), null, 2)}\n`)
writeFileSync(file('operations.txt'), operationsPage())
