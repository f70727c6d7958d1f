/*
 * sql - text and names in SQL for ClickHouse.
 *
 *     out_str(sql, "SELECT id FROM ");
 *     sql_name(sql, table);
 *     out_str(sql, " WHERE name = ");
 *     sql_text(sql, name);
 *
 * The only way in which anything from a recording, an address or a command
 * line comes into a statement. Rows are sent beside it, as bytes (rows.h).
 */
#ifndef TOPFN_FLEET_SQL_H
#define TOPFN_FLEET_SQL_H

#include "engine/base/out.h"

/* A literal that is this text, whatever is in it. */
void sql_text(struct out *sql, const char *text);

/* A literal for LIKE that matches what the glob (* and ?) does. */
void sql_glob(struct out *sql, const char *glob);

/* The name of a database, table or cluster. */
void sql_name(struct out *sql, const char *name);

#endif
