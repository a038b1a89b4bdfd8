#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QCoreApplication>
#include <QLocale>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "standard.h"
