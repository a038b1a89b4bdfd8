// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QCoreApplication>
#include <QLocale>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "standard.h"
