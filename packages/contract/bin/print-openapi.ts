import { writeFileSync } from 'node:fs'
import { extensionDocument, openApiDocument, operationsPage } from '../src/openapi.ts'
import { printOutline } from '../src/print-outline.ts'

/** Writes the committed files generated from the contract: document, operation list and outline. */
const file = (name: string) => new URL(`../${name}`, import.meta.url)
writeFileSync(file('openapi.json'), `${JSON.stringify(openApiDocument(), null, 2)}\n`)
writeFileSync(file('openapi-beside.json'), `${JSON.stringify(extensionDocument(), null, 2)}\n`)
writeFileSync(file('operations.txt'), operationsPage())
writeFileSync(file('src/generated/outline.json'), printOutline())
