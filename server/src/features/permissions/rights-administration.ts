import { rightCatalogue } from '@portico/contract/permissions';
import {
  most,
  type CatalogueRight,
  type GroupMapping,
  type OwnEffect,
  type OwnRight,
  type RoleDefinition,
} from '@portico/contract/rights-administration';
import type { Change } from '../../platform/database.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Actor, recordAudit as RecordAudit } from '../audit/audit.store.ts';
import { isBuiltInRight, isBuiltInRole } from './decide-rights.ts';
import {
  countOwnRights,
  deleteOwnRight,
  readFacts,
  readOwnRight,
  unknownRoles,
  writeOwnRight,
} from './permissions.store.ts';
import {
  countOwnCatalogue,
  deleteMapping,
  deleteRight,
  deleteRole,
  insertMapping,
  insertRight,
  insertRole,
  readCatalogueRight,
  readMappings,
  readRole,
  readRoles,
  readRuleSet,
  unknownRights,
  updateMapping,
  updateRight,
  updateRole,
  type MappingDraft,
  type RightTexts,
  type RoleTexts,
} from './rules.store.ts';
import { peopleInGroups, peopleWithRight, peopleWithRoles, tellTouched } from './touched-people.ts';

export type RightsAdministrationParts = {
  recordAudit: typeof RecordAudit;
  /** Makes a write unless nobody would be left who can manage people; throws LAST_ADMINISTRATOR. */
  keepAnAdministrator<T>(change: Change, write: () => Promise<T>): Promise<T>;
  /** Takes a right that is removed from the API tokens. */
  takeRightFromTokens(change: Change, right: string): Promise<void>;
};

/** What operators do to rights, roles and groups: each a guarded change with its audit row, which tells whom it may touch. */
export type RightsAdministration = ReturnType<typeof createRightsAdministration>;

type Versioned<T> = T & { version: number };

export function createRightsAdministration(parts: RightsAdministrationParts) {
  const { recordAudit, keepAnAdministrator } = parts;
  async function ownRight(change: Change, right: string): Promise<CatalogueRight> {
    const found = await readCatalogueRight(change.tx, right);
    if (found === null) throw notFound('There is no such right.');
    if (found.builtIn)
      throw new HttpProblem('CONFLICT', { detail: `${right} comes with Portico and cannot be changed.` });
    return found;
  }

  async function ownRole(change: Change, role: string): Promise<RoleDefinition> {
    const found = await readRole(change.tx, role);
    if (found === null) throw notFound('There is no such role.');
    if (found.builtIn) {
      throw new HttpProblem('CONFLICT', {
        detail: 'This role comes with Portico and cannot be changed. Make a copy of it and change that.',
      });
    }
    return found;
  }

  async function mapping(change: Change, mappingId: string): Promise<GroupMapping> {
    const found = (await readMappings(change.tx)).find(({ id }) => id === mappingId);
    if (found === undefined) throw notFound('There is no such mapping.');
    return found;
  }

  async function refuseUnknownRights(change: Change, rights: readonly string[]): Promise<void> {
    const [unknown] = await unknownRights(change.tx, rights);
    if (unknown !== undefined)
      throw invalid(`/rights/${rights.indexOf(unknown)}`, 'unknown', 'is no right of the catalogue');
  }

  async function refuseUnknownRoles(
    change: Change,
    pointer: string,
    roles: readonly string[],
  ): Promise<void> {
    const [unknown] = await unknownRoles(change.tx, roles);
    if (unknown !== undefined) throw invalid(`${pointer}/${roles.indexOf(unknown)}`, 'unknown', 'is no role');
  }

  async function refuseSameMapping(
    change: Change,
    { kind, match, name }: MappingDraft,
    except: string | null,
  ): Promise<void> {
    const same = (await readMappings(change.tx)).some(
      (one) => one.id !== except && one.kind === kind && one.match === match && one.name === name,
    );
    if (same) throw taken('/name', 'This group gives roles already. Change that mapping instead.');
  }

  return {
    async addRight(
      change: Change,
      actor: Actor,
      { right, ...texts }: RightTexts & { right: string },
    ): Promise<CatalogueRight> {
      if ((await readCatalogueRight(change.tx, right)) !== null)
        throw taken('/right', `There is a right ${right} already.`);
      if ((await countOwnCatalogue(change.tx)) + rightCatalogue.length >= most.rights)
        throw new HttpProblem('CONFLICT', { detail: `There can be ${most.rights} rights at most.` });
      await insertRight(change, right, texts);
      change.tell('right-rules');
      await recordAudit(change, actor, { action: 'right.create', subject: right, after: texts });
      return ownRight(change, right);
    },

    async changeRight(
      change: Change,
      actor: Actor,
      right: string,
      { version, ...texts }: Versioned<RightTexts>,
    ): Promise<CatalogueRight> {
      const before = await ownRight(change, right);
      refuseStale(before.version, version);
      await updateRight(change, right, texts);
      const after = await ownRight(change, right);
      await recordAudit(change, actor, {
        action: 'right.update',
        subject: right,
        before: textsOf(before),
        after: textsOf(after),
      });
      return after;
    },

    async removeRight(change: Change, actor: Actor, right: string): Promise<void> {
      const before = await ownRight(change, right);
      const rules = await readRuleSet(change.tx);
      const roles = [...rules.roles].filter(([, rights]) => rights.includes(right)).map(([role]) => role);
      const granted = await change.tx
        .selectFrom('person_right')
        .select(['person_id', 'effect', 'expires_at', 'reason'])
        .where('right_name', '=', right)
        .orderBy('person_id')
        .execute();
      await tellTouched(change, [peopleWithRight(right, rules)]);
      await keepAnAdministrator(change, () => deleteRight(change, right));
      await parts.takeRightFromTokens(change, right);
      await recordAudit(change, actor, {
        action: 'right.delete',
        subject: right,
        before: {
          ...textsOf(before),
          roles,
          people: granted.map(({ person_id, effect, expires_at, reason }) => ({
            personId: person_id,
            effect,
            expiresAt: expires_at,
            reason,
          })),
        },
      });
    },

    async addRole(
      change: Change,
      actor: Actor,
      { role, ...texts }: RoleTexts & { role: string },
    ): Promise<RoleDefinition> {
      if (isBuiltInRole(role) || (await readRole(change.tx, role)) !== null)
        throw taken('/role', `There is a role ${role} already.`);
      await refuseSameName(change, role, texts.name);
      if ((await readRoles(change.tx)).length >= most.roles)
        throw new HttpProblem('CONFLICT', { detail: `There can be ${most.roles} roles at most.` });
      await refuseUnknownRights(change, texts.rights);
      await insertRole(change, role, texts);
      change.tell('right-rules');
      const after = await ownRole(change, role);
      await recordAudit(change, actor, { action: 'role.create', subject: role, after: roleTextsOf(after) });
      return after;
    },

    async changeRole(
      change: Change,
      actor: Actor,
      role: string,
      { version, ...texts }: Versioned<RoleTexts>,
    ): Promise<RoleDefinition> {
      const before = await ownRole(change, role);
      refuseStale(before.version, version);
      await refuseSameName(change, role, texts.name);
      await refuseUnknownRights(change, texts.rights);
      await tellTouched(change, [peopleWithRoles([role])]);
      await keepAnAdministrator(change, () => updateRole(change, role, texts));
      const after = await ownRole(change, role);
      await recordAudit(change, actor, {
        action: 'role.update',
        subject: role,
        before: roleTextsOf(before),
        after: roleTextsOf(after),
      });
      return after;
    },

    async removeRole(change: Change, actor: Actor, role: string): Promise<void> {
      const before = await ownRole(change, role);
      const holders = await change.tx
        .selectFrom('person_role')
        .select('person_id')
        .where('role', '=', role)
        .orderBy('person_id')
        .execute();
      const mappings = (await readMappings(change.tx)).filter(({ roles }) => roles.includes(role));
      await tellTouched(change, [peopleWithRoles([role])]);
      await keepAnAdministrator(change, () => deleteRole(change, role));
      await recordAudit(change, actor, {
        action: 'role.delete',
        subject: role,
        before: {
          ...roleTextsOf(before),
          people: holders.map(({ person_id }) => person_id),
          mappings: mappings.map(mappingTextsOf),
        },
      });
    },

    async addMapping(change: Change, actor: Actor, draft: MappingDraft): Promise<GroupMapping> {
      await refuseSameMapping(change, draft, null);
      if ((await readMappings(change.tx)).length >= most.mappings)
        throw new HttpProblem('CONFLICT', { detail: `There can be ${most.mappings} mappings at most.` });
      await refuseUnknownRoles(change, '/roles', draft.roles);
      const id = await insertMapping(change, draft, actor.name);
      await tellTouched(change, [peopleInGroups(draft)]);
      const after = await mapping(change, id);
      await recordAudit(change, actor, {
        action: 'group-mapping.create',
        subject: id,
        after: mappingTextsOf(after),
      });
      return after;
    },

    async changeMapping(
      change: Change,
      actor: Actor,
      mappingId: string,
      { version, ...draft }: Versioned<MappingDraft>,
    ): Promise<GroupMapping> {
      const before = await mapping(change, mappingId);
      refuseStale(before.version, version);
      await refuseSameMapping(change, draft, mappingId);
      await refuseUnknownRoles(change, '/roles', draft.roles);
      await tellTouched(change, [peopleInGroups(before), peopleInGroups(draft)]);
      await keepAnAdministrator(change, () => updateMapping(change, mappingId, draft));
      const after = await mapping(change, mappingId);
      await recordAudit(change, actor, {
        action: 'group-mapping.update',
        subject: mappingId,
        before: mappingTextsOf(before),
        after: mappingTextsOf(after),
      });
      return after;
    },

    async removeMapping(change: Change, actor: Actor, mappingId: string): Promise<void> {
      const before = await mapping(change, mappingId);
      await tellTouched(change, [peopleInGroups(before)]);
      await keepAnAdministrator(change, () => deleteMapping(change, mappingId));
      await recordAudit(change, actor, {
        action: 'group-mapping.delete',
        subject: mappingId,
        before: mappingTextsOf(before),
      });
    },

    /** Grants or denies a person a right; the same again changes when it ends and why. */
    async setOwnRight(
      change: Change,
      actor: Actor,
      personId: string,
      own: { right: string; effect: OwnEffect; expiresAt: number | null; reason: string },
    ): Promise<OwnRight> {
      const { right, effect, expiresAt, reason } = own;
      if (!(await readFacts(change.tx, [personId])).has(personId)) throw notFound('There is no such person.');
      if (!isBuiltInRight(right) && (await readCatalogueRight(change.tx, right)) === null)
        throw notFound('There is no such right.');
      if (expiresAt !== null && expiresAt <= change.at)
        throw invalid('/expiresAt', 'past', 'is over already');
      const before = await readOwnRight(change.tx, personId, right, effect);
      if (before === null && (await countOwnRights(change.tx, personId)) >= most.ownRightsOfPerson) {
        throw new HttpProblem('CONFLICT', {
          detail: `A person can have ${most.ownRightsOfPerson} grants and denials at most. Make a role.`,
        });
      }
      await keepAnAdministrator(change, () =>
        writeOwnRight(change, personId, { right, effect, expiresAt, reason, givenBy: actor.name }),
      );
      await recordAudit(change, actor, {
        action: effect === 'grant' ? 'person.grant-right' : 'person.deny-right',
        subject: personId,
        before: before === null ? undefined : { right, expiresAt: before.expiresAt, reason: before.reason },
        after: { right, expiresAt, reason },
      });
      return { right, effect, expiresAt, reason, givenAt: change.at, givenBy: actor.name };
    },

    async removeOwnRight(
      change: Change,
      actor: Actor,
      personId: string,
      right: string,
      effect: OwnEffect,
    ): Promise<void> {
      const before = await readOwnRight(change.tx, personId, right, effect);
      if (before === null)
        throw notFound(`This person has no such ${effect === 'grant' ? 'grant' : 'denial'}.`);
      await keepAnAdministrator(change, () => deleteOwnRight(change, personId, right, effect));
      await recordAudit(change, actor, {
        action: effect === 'grant' ? 'person.take-back-grant' : 'person.take-back-denial',
        subject: personId,
        before: { right, expiresAt: before.expiresAt, reason: before.reason },
      });
    },
  };
}

/** Two roles of one name could not be told apart where only names are shown. */
async function refuseSameName(change: Change, role: string, name: string): Promise<void> {
  const same = (await readRoles(change.tx)).some(
    (one) => one.role !== role && !one.builtIn && one.name.toLowerCase() === name.toLowerCase(),
  );
  if (same) throw taken('/name', 'Another role has this name.');
}

function refuseStale(stored: number, read: number): void {
  if (stored !== read) {
    throw new HttpProblem('VERSION_CONFLICT', {
      detail: 'Somebody changed this meanwhile. Look again, then repeat it.',
    });
  }
}

function notFound(detail: string): HttpProblem {
  return new HttpProblem('NOT_FOUND', { detail });
}

function taken(pointer: string, detail: string): HttpProblem {
  return new HttpProblem('CONFLICT', { detail, errors: [{ pointer, code: 'taken', message: detail }] });
}

function invalid(pointer: string, code: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_BODY', { errors: [{ pointer, code, message }] });
}

function textsOf({ label, description, area }: CatalogueRight): RightTexts {
  return { label, description, area };
}

function roleTextsOf({ name, description, rights }: RoleDefinition): RoleTexts {
  return { name, description, rights };
}

function mappingTextsOf({ kind, match, name, roles }: GroupMapping): MappingDraft {
  return { kind, match, name, roles };
}
